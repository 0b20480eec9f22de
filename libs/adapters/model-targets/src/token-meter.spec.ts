import * as fc from 'fast-check';
import { openTargets } from './open-targets';
import { TokenMeter } from './token-meter';

const messagesOf = (text: string) => [{ role: 'user', text }] as const;
const around = new TokenMeter().estimate([]);
const tokens = (text: string): number => new TokenMeter().estimate(messagesOf(text)) - around;

describe('the token estimate for messages', () => {
  // Characters per token, as tokenizers of large models count such text (measured); an estimate that is too low
  // overruns the context.
  it.each([
    ['prose', 'The structure was refined against the deposited reflections until it stood still. ', 5.2],
    ['numbers of a log', '  1.80  0.2731  0.2312  12034   604  0.98\n', 1.82],
    ['a sequence', 'MKVLAAGIVTLLSEQRNDPFYWHCMKVLAAGIVTLLSEQRN', 1.74],
    ['JSON', '{"program":"phenix.refine","strategy":[{"key":"cycles","value":5}]}', 2.65],
  ])('is not too low, and not twice too high: %s', (_what, text, characters) => {
    const counted = text.repeat(20).length / characters;
    expect(tokens(text.repeat(20))).toBeGreaterThan(counted * 0.85);
    expect(tokens(text.repeat(20))).toBeLessThan(counted * 2);
  });

  it('grows with any text, in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, more) =>
        expect(tokens(`${text} ${more}`)).toBeGreaterThanOrEqual(tokens(text)),
      ),
    );
    const began = performance.now();
    expect(tokens('A'.repeat(400_000))).toBeGreaterThan(200_000);
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  it("follows a target's counts: upwards at once, downwards gradually, and never far below the estimate", () => {
    const meter = new TokenMeter();
    const messages = messagesOf('refine '.repeat(1_000));
    const first = meter.estimate(messages);
    meter.learn(messages, first * 2);
    expect(meter.estimate(messages)).toBeGreaterThanOrEqual(first * 2);
    meter.learn(messages, first);
    const eased = meter.estimate(messages);
    expect(eased).toBeLessThan(first * 2);
    expect(eased).toBeGreaterThan(first * 1.5);
    for (let times = 0; times < 100; times += 1) meter.learn(messages, 0);
    expect(meter.estimate(messages)).toBeGreaterThanOrEqual(first * 0.75);
  });
});

describe('a target', () => {
  const [target] = openTargets([
    {
      id: 'site',
      protocol: 'ollama',
      baseUrl: 'http://127.0.0.1:1',
      model: 'm',
      local: true,
      contextTokens: 4_096,
      maxOutputTokens: 4_096,
      sendsSchema: true,
      limits: { firstMs: 1, idleMs: 1, totalMs: 1 },
    },
  ]).targets;

  it('accepts messages that leave half of a short context for the reply', () => {
    expect(target?.fits?.(messagesOf('refine '.repeat(800)))).toBe(true);
    expect(target?.fits?.(messagesOf('refine '.repeat(1_000)))).toBe(false);
  });
});

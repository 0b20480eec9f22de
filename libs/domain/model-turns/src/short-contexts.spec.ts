import type { ModelFailureClass } from '@fleet/contracts/models';
import type { StoredReply, ModelAnswer, ModelMessage, ModelTarget } from '@fleet/ports';
import * as fc from 'fast-check';
import { planPrompt, runTurn, shorterPlanPrompts, type PlanContext, type Read, type TurnOutcome } from './index';
import type { Prompt } from './prompt';

const lengthOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { text }) => sum + text.length, 0);
const answered: ModelAnswer = {
  ok: true,
  reply: { text: 'yes', thinking: '', finish: 'stop', usage: {}, latencyMs: 1 },
};
const failed = (of: ModelFailureClass): ModelAnswer => ({
  ok: false,
  failure: { class: of, why: `it is ${of}`, usage: {}, latencyMs: 1 },
});

/** A target with a limit of characters by its own estimate, which answers as scripted; the last answer repeats. */
const target = (id: string, most: number, ...script: readonly ModelAnswer[]) => {
  const lengths: number[] = [];
  const one: ModelTarget = {
    id,
    model: 'm',
    local: true,
    maxOutputTokens: 1,
    fits: (messages) => lengthOf(messages) <= most,
    ask: ({ messages }) => {
      lengths.push(lengthOf(messages));
      return Promise.resolve(script[Math.min(lengths.length, script.length) - 1] ?? answered);
    },
  };
  return { one, asked: lengths };
};

const promptOf = (text: string): Prompt => ({ id: 'test', version: 1, messages: [{ role: 'user', text }] });
const forms = [promptOf('x'.repeat(1_000)), promptOf('x'.repeat(500)), promptOf('x'.repeat(100))] as const;

const turn = async (
  targets: readonly ModelTarget[],
  kept = new Map<string, StoredReply>(),
  read: (text: string) => Read<string> = (text) => ({ value: text }),
  told: string[] = [],
): Promise<TurnOutcome<string>> => {
  const [prompt, ...shorter] = forms;
  return runTurn({
    prompt,
    shorter,
    answer: { name: 'test', schema: {} },
    read,
    targets,
    replies: {
      find: (hash) => Promise.resolve(kept.get(hash)),
      keep: (hash, reply) => Promise.resolve(void kept.set(hash, reply)),
    },
    account: {
      reserve: () => Promise.resolve(() => Promise.resolve()),
      tooLong: ({ id }) => void told.push(id),
    },
    sleep: () => Promise.resolve(),
  });
};
const result = ({ attempts }: TurnOutcome<string>): string =>
  attempts.map((one) => `${one.target} ${one.result}`).join(', ');

describe('a turn with targets with short contexts', () => {
  it('sends each the longest form that fits', async () => {
    const [one, other] = [target('one', 500, failed('quota')), target('other', 5_000)];
    expect(await turn([one.one, other.one])).toMatchObject({ value: 'yes', target: 'other' });
    expect([one.asked, other.asked]).toEqual([[500], [1_000]]);
  });

  it('skips a target for which none fits, and reports it', async () => {
    const none = target('none', 50);
    const prompts: string[] = [];
    const outcome = await turn([none.one], new Map(), undefined, prompts);
    expect([none.asked, prompts]).toEqual([[], ['none']]);
    expect([result(outcome), outcome]).toMatchObject(['none too_long', { code: 'context_limit' }]);
    const next = target('next', 100);
    expect(await turn([none.one, next.one])).toMatchObject({ value: 'yes', target: 'next' });
  });

  it('sends the shortest form, once, if a target still finds the question too long, and from then on', async () => {
    const script = [failed('overflow'), answered, answered];
    const short = target('short', 5_000, ...script);
    let reads = 0;
    const read = (text: string): Read<string> => {
      reads += 1;
      return reads === 1 ? { problem: { code: 'not_json', why: 'it is not' } } : { value: text };
    };
    expect(result(await turn([short.one], new Map(), read))).toBe('short overflow, short answered, short answered');
    expect(short.asked.slice(0, 2)).toEqual([1_000, 100]);
    expect(short.asked[2]).toBeLessThan(500);
    const never = target('never', 5_000, failed('overflow'));
    const outcome = await turn([never.one]);
    expect(never.asked).toEqual([1_000, 100]);
    expect(outcome).toMatchObject({ code: 'context_limit' });
  });

  it('pays once, whichever form was answered', async () => {
    const stored = new Map<string, StoredReply>();
    await turn([target('one', 500).one], stored);
    // Another process has not learnt how the target counts.
    const again = target('one', 5_000);
    expect(await turn([again.one], stored)).toMatchObject({ value: 'yes', attempts: [] });
    expect(again.asked).toEqual([]);
    expect([...stored.values()].map(({ asked }) => asked)).toEqual([forms[1].messages]);
  });

  it('reports one reason if each target has too short a context, whether asked or not', async () => {
    const outcome = await turn([target('none', 50).one, target('never', 100, failed('overflow')).one]);
    expect([result(outcome), outcome]).toMatchObject(['none too_long, never overflow', { code: 'context_limit' }]);
  });
});

describe('the prompt "plan" for a short context', () => {
  const line = fc.string({ minLength: 1, maxLength: 400 });
  const lines = (prefix: string, most: number) =>
    fc.array(line, { maxLength: most }).map((all) => all.map((text, at) => `${prefix}${String(at)} ${text}`));
  const context: fc.Arbitrary<PlanContext> = fc.record({
    experiment: fc.constant('xray'),
    state: fc.constant('xray_refined'),
    step: fc.constant('refine'),
    cycle: fc.nat(100),
    menu: fc.array(
      fc.record({
        program: fc.stringMatching(/^phenix\.[a-z]{3,9}$/),
        purpose: fc.constant('it'),
        keys: fc.constant([]),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    situation: lines('situation', 6),
    advice: fc.constant('Refine with 5 cycles, and keep the waters.'),
    history: lines('cycle', 12),
    files: lines('file', 30),
    refused: lines('refused', 3),
  });
  const textOf = (prompt: Prompt): string => prompt.messages.map(({ text }) => text).join('\n');

  it("is never longer than the limit, and always contains the menu and the submitter's requests", async () => {
    await fc.assert(
      fc.asyncProperty(context, fc.integer({ min: 500, max: 20_000 }), async (told, most) => {
        const targets: string[] = [];
        const one: ModelTarget = {
          ...target('one', most).one,
          ask: ({ messages }) => {
            targets.push(messages.map(({ text }) => text).join('\n'));
            expect(lengthOf(messages)).toBeLessThanOrEqual(most);
            return Promise.resolve(answered);
          },
        };
        const all = [planPrompt(told), ...shorterPlanPrompts(told)];
        const outcome = await runTurn({
          prompt: planPrompt(told),
          shorter: shorterPlanPrompts(told),
          answer: { name: 'plan', schema: {} },
          read: (text): Read<string> => ({ value: text }),
          targets: [one],
          replies: { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() },
          account: { reserve: () => Promise.resolve(() => Promise.resolve()) },
          sleep: () => Promise.resolve(),
        });
        const isPossible = all.some(({ messages }) => lengthOf(messages) <= most);
        expect('value' in outcome).toBe(isPossible);
        for (const text of targets) {
          for (const { program } of told.menu) expect(text).toContain(`- ${program}: it`);
          expect(text).toContain('| Refine with 5 cycles, and keep the waters.');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('omits the oldest cycles before file names, and says how many', () => {
    const numbered = (what: string, many: number): string[] =>
      Array.from({ length: many }, (_one, at) => `${what} ${String(at + 1)}.`);
    const longContext: PlanContext = {
      experiment: 'xray',
      state: 'xray_refined',
      step: 'refine',
      cycle: 10,
      menu: [{ program: 'phenix.refine', purpose: 'it', keys: [] }],
      situation: [],
      advice: '',
      history: numbered('cycle', 9),
      files: numbered('file', 20),
      refused: [],
    };
    const shown = shorterPlanPrompts(longContext).map((prompt) => {
      const text = textOf(prompt);
      return [/## What has run.*/.exec(text)?.[0], /## Files.*/.exec(text)?.[0], text.includes('| cycle 9.')];
    });
    const short = (title: string, some: number, all: number): string =>
      `## ${title}, ${String(some)} of ${String(all)}, for your context is short (data)`;
    const ran = 'What has run, oldest first';
    expect(shown).toEqual([
      [short(ran, 6, 9), '## Files (data)', true],
      [short(ran, 2, 9), '## Files (data)', true],
      [short(ran, 2, 9), short('Files', 8, 20), true],
      [short(ran, 1, 9), short('Files', 0, 20), true],
    ]);
    expect(shorterPlanPrompts({ ...longContext, history: ['cycle 1.'], files: [] })).toEqual([]);
  });
});

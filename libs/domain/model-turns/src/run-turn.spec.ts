import { turnFailureCodes, type ModelFailureClass } from '@fleet/contracts/models';
import type { StoredReply, ModelAnswer, ModelRequest, ModelTarget } from '@fleet/ports';
import { hashOf } from './prompt';
import type { Read } from './read-answer';
import { runTurn, type Turn, type TurnAccount } from './run-turn';

const reply = (text: string): ModelAnswer => ({
  ok: true,
  reply: { text, thinking: '', finish: 'stop', usage: { inputTokens: 10, outputTokens: 2 }, latencyMs: 5 },
});
const failure = (of: ModelFailureClass, retryAfterMs?: number): ModelAnswer => ({
  ok: false,
  failure: {
    class: of,
    why: `it is ${of}`,
    usage: {},
    latencyMs: 5,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  },
});

interface Scripted extends ModelTarget {
  readonly asked: ModelRequest[];
}

/** A target that answers as scripted; the last answer repeats. */
const target = (id: string, ...script: readonly ModelAnswer[]): Scripted => {
  const requests: ModelRequest[] = [];
  const ask = (request: ModelRequest): Promise<ModelAnswer> => {
    requests.push(request);
    return Promise.resolve(script[Math.min(requests.length, script.length) - 1]!);
  };
  return { id, model: `model-of-${id}`, local: true, maxOutputTokens: 100, asked: requests, ask };
};

const prompt = { id: 'test', version: 1, messages: [{ role: 'user', text: 'Say yes.' }] } as const;
const read = (text: string): Read<string> =>
  text === 'yes' ? { value: text } : { problem: { code: 'not_json', why: `"${text}" is not yes` } };

const turn = async (targets: readonly ModelTarget[], more: Partial<Turn<string>> = {}) => {
  const waited: number[] = [];
  const stored = new Map<string, StoredReply>();
  const replies = {
    find: (hash: string) => Promise.resolve(stored.get(hash)),
    keep: (hash: string, one: StoredReply) => Promise.resolve(void stored.set(hash, one)),
  };
  const sleep = (ms: number): Promise<void> => Promise.resolve(void waited.push(ms));
  const account: TurnAccount = { reserve: () => Promise.resolve(() => Promise.resolve()) };
  const given = { prompt, answer: { name: 'test', schema: {} }, read, targets, replies, account, sleep, ...more };
  return { outcome: await runTurn(given), waited, kept: stored };
};
const result = ({ outcome }: Awaited<ReturnType<typeof turn>>): string =>
  outcome.attempts.map((one) => `${one.target} ${one.result}`).join(', ');

describe('a turn', () => {
  it('uses the answer of the first target', async () => {
    const [one, other] = [target('one', reply('yes')), target('other', reply('yes'))];
    const ran = await turn([one, other]);
    expect(ran.outcome).toMatchObject({ value: 'yes', target: 'one', model: 'model-of-one', hash: hashOf(prompt) });
    expect(other.asked).toEqual([]);
  });

  it.each<[ModelFailureClass]>([
    ['quota'],
    ['auth'],
    ['timeout'],
    ['overflow'],
    ['refused'],
    ['bad_request'],
    ['unavailable'],
    ['resting'],
  ])('tries the next target: %s', async (kind) => {
    const ran = await turn([target('one', failure(kind)), target('other', reply('yes'))]);
    expect(ran.outcome).toMatchObject({ value: 'yes', target: 'other' });
    expect(result(ran)).toBe(`one ${kind}, other answered`);
    expect(ran.waited).toEqual([]);
  });

  it('retries once after a temporary failure, and never a target that refuses', async () => {
    const ran = await turn([target('one', failure('auth')), target('other', failure('unavailable'), reply('yes'))]);
    expect(result(ran)).toBe('one auth, other unavailable, other answered');
    expect(ran.waited).toEqual([500]);
  });

  it('waits as long as a target requests, up to five seconds', async () => {
    const short = await turn([target('one', failure('rate_limit', 3_000), reply('yes'))]);
    expect([short.waited, result(short)]).toEqual([[3_000], 'one rate_limit, one answered']);
    const long = await turn([target('one', failure('rate_limit', 6_000))]);
    expect([long.waited, result(long)]).toEqual([[], 'one rate_limit']);
    expect(long.outcome).toMatchObject({ code: 'model_rate_limited' });
  });

  it('ends its wait between two rounds when it is aborted, and sends no more requests', async () => {
    const ending = new AbortController();
    const one = target('one', failure('rate_limit', 3_000), reply('yes'));
    /** A stopped clock: only the signal ends the wait. */
    const sleep: Turn<string>['sleep'] = (_ms, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve());
        ending.abort();
      });
    const ran = await turn([one], { sleep, signal: ending.signal });
    expect(ran.outcome).toMatchObject({ code: 'aborted' });
    expect(one.asked).toHaveLength(1);
  });

  it('reports the problem to the model, in one message with the last two reasons, without connection problems', async () => {
    const one = target('one', reply('no'), failure('unavailable'), reply('maybe'), reply('yes'));
    const ran = await turn([one]);
    expect(ran.outcome).toMatchObject({ value: 'yes' });
    expect(one.asked.map(({ messages }) => messages.length)).toEqual([1, 2, 2, 2]);
    expect(one.asked.at(-1)?.messages[1]).toEqual({
      role: 'user',
      text: 'Your last answer cannot be used (2 of 3):\n- "no" is not yes\n- "maybe" is not yes\nAnswer again with the JSON object.',
    });
  });

  it('pays once: earlier answers are not requested again, not even wrong ones', async () => {
    const first = await turn([target('one', reply('no'), reply('yes'))]);
    const again = target('one', reply('paid twice'));
    const { kept } = first;
    const replies = {
      find: (hash: string) => Promise.resolve(kept.get(hash)),
      keep: () => Promise.reject(new Error('nothing to store')),
    };
    const second = await turn([again], { replies });
    expect(second.outcome).toMatchObject({ value: 'yes', target: 'one' });
    expect(again.asked).toEqual([]);
  });

  it('stores a reply before it is settled and read', async () => {
    const order: string[] = [];
    const replies = {
      find: () => Promise.resolve(undefined),
      keep: () => Promise.resolve(void order.push('kept')),
    };
    const reading = (text: string): Read<string> => {
      order.push('read');
      return read(text);
    };
    const account: TurnAccount = {
      reserve: () => {
        order.push('reserved');
        return Promise.resolve(() => Promise.resolve(void order.push('settled')));
      },
    };
    await turn([target('one', reply('yes'))], { replies, account, read: reading });
    expect(order).toEqual(['reserved', 'kept', 'settled', 'read']);
  });

  it('settles a request whose reply cannot be stored', async () => {
    const settled: ModelAnswer[] = [];
    const keep = () => Promise.reject(new Error('the folder is not writable'));
    const account: TurnAccount = {
      reserve: () => Promise.resolve((answer) => Promise.resolve(void settled.push(answer))),
    };
    const replies = { find: () => Promise.resolve(undefined), keep };
    await expect(turn([target('one', reply('yes'))], { replies, account })).rejects.toThrow('not writable');
    expect(settled).toEqual([reply('yes')]);
  });

  it('sends no request that the account does not allow, and none that is no longer needed', async () => {
    const one = target('one', reply('yes'));
    const refused = failure('budget') as ModelAnswer & { ok: false };
    const ran = await turn([one], { account: { reserve: () => Promise.resolve(refused) } });
    expect(ran.outcome).toMatchObject({ code: 'model_budget', attempts: [{ result: 'budget' }] });
    const reserve = (): Promise<never> => Promise.reject(new Error('nothing to reserve'));
    const late = await turn([one], { account: { reserve }, signal: AbortSignal.abort() });
    expect(late.outcome).toMatchObject({ code: 'aborted' });
    expect(one.asked).toEqual([]);
  });
});

describe('a turn without an answer', () => {
  const ends: readonly (readonly [(typeof turnFailureCodes)[number], readonly ModelAnswer[], RegExp])[] = [
    ['model_invalid', [reply('no')], /^3 answers could not be used, the last one because "no" is not yes$/],
    ['model_unavailable', [failure('unavailable')], /^one: it is unavailable; other: it is unavailable$/],
    ['model_rate_limited', [failure('rate_limit')], /rate_limit/],
    ['model_quota', [failure('quota')], /quota/],
    ['model_auth', [failure('auth')], /auth/],
    ['model_refused', [failure('refused')], /refused/],
    ['model_budget', [failure('budget')], /budget/],
    ['context_limit', [failure('overflow')], /overflow/],
    ['aborted', [failure('aborted')], /^it is aborted$/],
  ];

  it.each(ends)('%s', async (code, script, why) => {
    const { outcome } = await turn([target('one', ...script), target('other', ...script)]);
    expect(outcome).toMatchObject({ code, why: expect.stringMatching(why) as string });
  });

  it('has a test for every code', () => {
    expect(ends.map(([code]) => code).toSorted()).toEqual([...turnFailureCodes].toSorted());
  });

  it('is unavailable if targets fail for several reasons, or there is none', async () => {
    const mixed = await turn([target('one', failure('auth')), target('other', failure('quota'))]);
    expect(mixed.outcome).toMatchObject({ code: 'model_unavailable', why: 'one: it is auth; other: it is quota' });
    expect((await turn([])).outcome).toMatchObject({ code: 'model_unavailable', attempts: [] });
  });

  it('accounts for every request', async () => {
    const ran = await turn([target('one', failure('timeout')), target('other', reply('no'))]);
    expect(result(ran)).toBe('one timeout, other answered, other answered, other answered');
    expect(ran.outcome.attempts[1]).toMatchObject({ usage: { inputTokens: 10, outputTokens: 2 }, latencyMs: 5 });
    expect(new Set(ran.outcome.attempts.map(({ hash }) => hash)).size).toBe(3);
  });
});

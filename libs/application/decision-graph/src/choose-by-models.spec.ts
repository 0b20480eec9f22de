import type { TurnFailureCode } from '@fleet/contracts/models';
import type { PlanningRecord, Session } from '@fleet/contracts/sessions';
import {
  unmeasured,
  type KeptReply,
  type ModelAnswer,
  type ModelBudgets,
  type ModelReplies,
  type ModelTarget,
} from '@fleet/ports';
import { MemoryModelBreaker } from '@fleet/redis';
import {
  aSession,
  dataFile,
  ManualClock,
  modelFile,
  sequenceFile,
  usualRuns,
  type Walk,
  walkBench,
  words,
  useStores,
} from '@fleet/testing';
import { chooseByModels } from './choose-by-models';
import { chooseByRules } from './choose-by-rules';
import type { Chooser, ChoosingContext, DecisionOutcome } from './decision-types';
import type { Planner } from './watched-turn';

const newStore = useStores();

const bench = walkBench({ installed: 'all', runs: usualRuns });
/** The second decision is a real choice: search with the template, or predict. */
const inputs = [dataFile(), sequenceFile(), modelFile('/data/template.pdb')];

const answered = (text: string): ModelAnswer => ({
  ok: true,
  reply: { text, thinking: '', finish: 'stop', usage: { inputTokens: 9, outputTokens: 3 }, latencyMs: 4 },
});
const failed: ModelAnswer = { ok: false, failure: { class: 'auth', why: 'it answered 401', usage: {}, latencyMs: 1 } };
const choosing = (program: string, more: object = {}): ModelAnswer =>
  answered(JSON.stringify({ program, reasons: 'The template is poor.', strategy: [], confidence: 'medium', ...more }));

class Replies implements ModelReplies {
  readonly kept = new Map<string, KeptReply>();
  find(session: Session, work: string): Promise<KeptReply | undefined> {
    return Promise.resolve(this.kept.get(`${session.id} ${work}`));
  }
  keep(session: Session, work: string, reply: KeptReply): Promise<void> {
    this.kept.set(`${session.id} ${work}`, reply);
    return Promise.resolve();
  }
}

/** A planner with one target that gives this answer, and its prompts. */
const planner = (answer: () => ModelAnswer, replies = new Replies(), budgets: ModelBudgets = {}) => {
  const clock = new ManualClock();
  const { ledger } = newStore(clock);
  const breaker = new MemoryModelBreaker(() => clock.now());
  const prompts: string[] = [];
  const target: ModelTarget = {
    id: 'site',
    model: 'qwen3',
    local: true,
    maxOutputTokens: 1_000,
    ask: ({ messages }, signal) => {
      prompts.push(messages.map(({ text }) => text).join('\n'));
      const gone: ModelAnswer = { ok: false, failure: { class: 'aborted', why: 'gone', usage: {}, latencyMs: 0 } };
      return Promise.resolve(signal?.aborted === true ? gone : answer());
    },
  };
  const ending = new AbortController();
  let isHandedBack = false;
  const closed: boolean[] = [];
  const unkept: unknown[] = [];
  const whole: Planner = {
    ruleBook: bench.ruleBook,
    targets: [target],
    replies,
    accounting: { breaker, ledger, budgets, clock, metrics: unmeasured },
    sleep: () => Promise.resolve(),
    onUnkept: (error) => void unkept.push(error),
    watch: async (_session, work) => {
      await ledger.hold(work);
      return {
        signal: ending.signal,
        isHandedBack: () => isHandedBack,
        close: (isKept) => Promise.resolve(void closed.push(isKept)),
      };
    },
  };
  const end = (handBack: boolean): void => {
    isHandedBack = handBack;
    ending.abort();
  };
  return { whole, prompts, replies, ledger, breaker, clock, closed, unkept, end };
};

/** The first decision of the walk with a real choice. */
const withChoice = async (): Promise<{ readonly session: Session; readonly offered: readonly string[] }> => {
  let found: ChoosingContext | undefined;
  await bench.walk(
    inputs,
    {},
    {
      choose: (context) => {
        if (context.menu.offered.length > 1) found ??= context;
        return chooseByRules(context);
      },
    },
  );
  if (found === undefined) throw new Error('no decision of this walk has a choice');
  return { session: found.session, offered: found.menu.offered.map(({ program }) => program) };
};
const decisionOf = (outcome: DecisionOutcome) => {
  if (!('decision' in outcome)) throw new Error(outcome.stop.detail);
  return outcome.decision;
};
const messagesOf = (outcome: DecisionOutcome): string => outcome.events.map(({ message }) => message).join('\n');

describe('a decision with models', () => {
  let session: Session;
  let first: string;
  let second: string;
  beforeAll(async () => {
    const found = await withChoice();
    session = found.session;
    [first, second] = [found.offered[0]!, found.offered[1]!];
  });

  it("is the model's choice from the menu, and the record names the model", async () => {
    const { whole, replies, ledger, closed } = planner(() => choosing(second));
    const outcome = await bench.decide(session, chooseByModels(whole));
    const decision = decisionOf(outcome);
    expect(decision).toMatchObject({
      program: second,
      decidedBy: 'model',
      confidence: 'medium',
      reasoning: 'qwen3 chose it: "The template is poor."',
      planning: { prompt: 'plan 1', requests: 1, target: 'site', model: 'qwen3' },
    });
    const hash = decision.planning?.hash ?? '';
    expect([...replies.kept.keys()]).toEqual([`${session.id} c002-plan-${hash.slice(0, 16)}`]);
    expect(outcome.events.find(({ type }) => type === 'program_selected')?.data).toMatchObject({ model: 'qwen3' });
    expect(closed).toEqual([true]);
    const of = { work: 'c002-plan', target: 'site', model: 'qwen3', prompt: 'plan 1', hash };
    const result = { result: 'answered', latencyMs: 4, inputTokens: 9, outputTokens: 3, cost: null };
    expect(await ledger.entries(session.id)).toEqual([{ number: 1, ...of, at: '2026-11-21T08:00:00.000Z', ...result }]);
  });

  it('is left to the rules if the submitter excludes models: no data leave, nothing is stored or paid', async () => {
    const { request } = session;
    const settings = { ...request.settings, use_rules_only: true };
    const { whole, prompts, replies, ledger } = planner(() => choosing(second));
    const decision = decisionOf(
      await bench.decide({ ...session, request: { ...request, settings } }, chooseByModels(whole)),
    );
    expect(decision).toMatchObject({ program: first, decidedBy: 'rules' });
    expect(decision.planning).toBeUndefined();
    expect([prompts, [...replies.kept], await ledger.entries(session.id)]).toEqual([[], [], []]);
  });

  it('is paid once: a step that is taken again uses the stored reply', async () => {
    const replies = new Replies();
    await bench.decide(session, chooseByModels(planner(() => choosing(second), replies).whole));
    const again = planner(() => choosing(first), replies);
    const decision = decisionOf(await bench.decide(session, chooseByModels(again.whole)));
    expect(decision).toMatchObject({ program: second, decidedBy: 'model', planning: { requests: 0, target: 'site' } });
    expect(again.prompts).toEqual([]);
  });

  it("is the model's choice even if its reply cannot be stored, which is reported", async () => {
    const full = new Error('the disk is full');
    const replies = new Replies();
    replies.keep = () => Promise.reject(full);
    const { whole, ledger, closed, unkept } = planner(() => choosing(second), replies);
    const decision = decisionOf(await bench.decide(session, chooseByModels(whole)));
    expect(decision).toMatchObject({ program: second, decidedBy: 'model', planning: { requests: 1 } });
    expect(await ledger.entries(session.id)).toMatchObject([{ number: 1, result: 'answered' }]);
    // No other worker could find it: others take the work when the step has moved on, or when this worker is silent.
    expect([unkept, closed]).toEqual([[full], [false]]);
  });

  it.each(['reserve', 'settle'] as const)('lets others ask a target if the ledger fails to %s', async (what) => {
    const { whole, ledger, breaker, clock } = planner(() => choosing(second));
    await breaker.report('site', 'down');
    clock.forward(31_000);
    ledger[what] = (): Promise<never> => Promise.reject(new Error('out of memory'));
    await expect(bench.decide(session, chooseByModels(whole))).rejects.toThrow('out of memory');
    expect(await breaker.admit('site')).toBe(true);
  });

  const failures: readonly (readonly [string, () => ModelAnswer, TurnFailureCode, number])[] = [
    ['answers with prose', () => answered('I would refine.'), 'model_invalid', 3],
    ['leaves the menu', () => choosing('phenix.polder'), 'model_invalid', 3],
    ['wants to stop', () => choosing('STOP'), 'model_invalid', 3],
    ['sets what it may not', () => choosing(second, { strategy: [{ key: 'nonsense', value: 1 }] }), 'model_invalid', 3],
    ['does not answer', () => failed, 'model_auth', 1],
  ];
  it.each(failures)('is made by the rules, with an event, if the model %s', async (_what, answer, code, requests) => {
    const byRules = decisionOf(await bench.decide(session));
    const outcome = await bench.decide(session, chooseByModels(planner(answer).whole));
    const { planning, ...decision } = decisionOf(outcome);
    expect(decision).toEqual(byRules);
    expect(planning).toMatchObject({ prompt: 'plan 1', requests, failed: code } satisfies Partial<PlanningRecord>);
    expect(messagesOf(outcome)).toContain('The rules chose, for no model gave an answer that can be used: ');
  });

  it('is handed back if the process ends, and made by the rules if its result is no longer needed', async () => {
    const gone = planner(() => choosing(second));
    gone.end(true);
    await expect(bench.decide(session, chooseByModels(gone.whole))).rejects.toMatchObject({
      code: 'decision.handed_back',
      kind: 'transient',
    });
    const unwanted = planner(() => choosing(second));
    unwanted.end(false);
    const decision = decisionOf(await bench.decide(session, chooseByModels(unwanted.whole)));
    expect(decision).toMatchObject({ program: first, decidedBy: 'rules', planning: { failed: 'aborted' } });
  });

  it('is made by the rules, free of charge and with an event, if a budget is used up', async () => {
    const { whole, prompts } = planner(() => choosing(second), new Replies(), { session: { tokens: 1_000 } });
    const outcome = await bench.decide(session, chooseByModels(whole));
    const planning = { requests: 0, failed: 'model_budget' };
    expect(decisionOf(outcome)).toMatchObject({ program: first, decidedBy: 'rules', planning });
    expect(messagesOf(outcome)).toContain('site: the budget of the session does not allow another request');
    expect(prompts).toEqual([]);
  });

  it('skips a target that just failed, and probes it with one request later', async () => {
    let answer: ModelAnswer = failed;
    const { whole, prompts, clock } = planner(() => answer);
    const decided = async () => decisionOf(await bench.decide(session, chooseByModels(whole))).planning;
    expect(await decided()).toMatchObject({ failed: 'model_auth', requests: 1 });
    const why = 'site: it failed recently and is skipped for a while';
    expect(await decided()).toMatchObject({ failed: 'model_unavailable', requests: 0, why });
    answer = choosing(second);
    clock.forward(31_000);
    expect(await decided()).toMatchObject({ target: 'site', requests: 1 });
    expect(prompts).toHaveLength(2);
  });

  it('is handed back if another worker has taken the work', async () => {
    const { whole, prompts } = planner(() => choosing(second));
    const watch: Planner['watch'] = () =>
      Promise.resolve({
        signal: new AbortController().signal,
        isHandedBack: () => true,
        close: () => Promise.resolve(),
      });
    await expect(bench.decide(session, chooseByModels({ ...whole, watch }))).rejects.toMatchObject({
      code: 'decision.handed_back',
    });
    expect(prompts).toEqual([]);
  });

  it('asks no model if the menu has one program', async () => {
    const { whole, prompts } = planner(() => choosing(second));
    const decision = decisionOf(
      await bench.decide(aSession({ ...session, cycle: 1, cycles: [] }), chooseByModels(whole)),
    );
    expect(decision).toMatchObject({ program: 'phenix.xtriage', decidedBy: 'rules' });
    expect(decision.planning).toBeUndefined();
    expect(prompts).toEqual([]);
  });
});

describe('a whole session with models', () => {
  const courseOf = async (choose?: Chooser): Promise<Walk> =>
    bench.walk(inputs, {}, choose === undefined ? {} : { choose });

  it('is the same as without models if none answers', async () => {
    const [byRules, walked] = [await courseOf(), await courseOf(chooseByModels(planner(() => failed).whole))];
    expect(words(walked)).toBe(words(byRules));
    const commands = (walk: Walk) => walk.session.cycles.map(({ decision }) => decision.argv);
    expect(commands(walked)).toEqual(commands(byRules));
  });

  it('ends with a reason whatever the model chooses, and never runs a program that the rules did not offer', async () => {
    let turn = 0;
    const answer = (): ModelAnswer => {
      turn += 1;
      return choosing(['phenix.polder', 'phenix.refine', 'phenix.predict_and_build', 'phenix.phaser'][turn % 4]!);
    };
    const walked = await courseOf(chooseByModels(planner(answer).whole));
    expect(walked.stop.detail).not.toBe('');
    expect(turn).toBeGreaterThan(0);
    for (const { decision } of walked.session.cycles) expect(decision.validPrograms).toContain(decision.program);
  });
});

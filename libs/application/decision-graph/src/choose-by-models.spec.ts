import type { TurnFailureCode } from '@fleet/contracts/models';
import type { PlanningRecord, Session } from '@fleet/contracts/sessions';
import type { ModelAnswer } from '@fleet/ports';
import {
  aSession,
  dataFile,
  modelFailing,
  modelFile,
  modelSaying,
  ScriptedReplies,
  sequenceFile,
  usualRuns,
  type Walk,
  walkBench,
  words,
  useScriptedPlanners,
} from '@fleet/testing';
import { chooseByModels } from './choose-by-models';
import { chooseByRules } from './choose-by-rules';
import type { Chooser, ChoosingContext, DecisionOutcome } from './decision-types';
import type { Planner } from './watched-turn';

const bench = walkBench({ installed: 'all', runs: usualRuns });
const aPlanner = useScriptedPlanners(bench);
/** The second decision is a real choice: search with the template, or predict. */
const inputs = [dataFile(), sequenceFile(), modelFile('/data/template.pdb')];

const failed = modelFailing('auth');
const choosing = (program: string, more: object = {}): ModelAnswer =>
  modelSaying(
    JSON.stringify({ program, reasons: 'The template is poor.', strategy: [], confidence: 'medium', ...more }),
  );

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
    const replies = new ScriptedReplies();
    const { planner, ledger, closed } = aPlanner(() => choosing(second), { replies });
    const outcome = await bench.decide(session, chooseByModels(planner));
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
    const replies = new ScriptedReplies();
    const { planner, asked, ledger } = aPlanner(() => choosing(second), { replies });
    const decision = decisionOf(
      await bench.decide({ ...session, request: { ...request, settings } }, chooseByModels(planner)),
    );
    expect(decision).toMatchObject({ program: first, decidedBy: 'rules' });
    expect(decision.planning).toBeUndefined();
    expect([asked, [...replies.kept], await ledger.entries(session.id)]).toEqual([[], [], []]);
  });

  it('is paid once: a step that is taken again uses the stored reply', async () => {
    const replies = new ScriptedReplies();
    await bench.decide(session, chooseByModels(aPlanner(() => choosing(second), { replies }).planner));
    const again = aPlanner(() => choosing(first), { replies });
    const decision = decisionOf(await bench.decide(session, chooseByModels(again.planner)));
    expect(decision).toMatchObject({ program: second, decidedBy: 'model', planning: { requests: 0, target: 'site' } });
    expect(again.asked).toEqual([]);
  });

  it("is the model's choice even if its reply cannot be stored, which is reported", async () => {
    const full = new Error('the disk is full');
    const replies = new ScriptedReplies();
    replies.keep = () => Promise.reject(full);
    const { planner, ledger, closed, unkept } = aPlanner(() => choosing(second), { replies });
    const decision = decisionOf(await bench.decide(session, chooseByModels(planner)));
    expect(decision).toMatchObject({ program: second, decidedBy: 'model', planning: { requests: 1 } });
    expect(await ledger.entries(session.id)).toMatchObject([{ number: 1, result: 'answered' }]);
    // No other worker could find it: others take the work when the step has moved on, or when this worker is silent.
    expect([unkept, closed]).toEqual([[full], [false]]);
  });

  it.each(['reserve', 'settle'] as const)('lets others ask a target if the ledger fails to %s', async (what) => {
    const { planner, ledger, breaker, clock } = aPlanner(() => choosing(second));
    await breaker.report('site', 'down');
    clock.forward(31_000);
    ledger[what] = (): Promise<never> => Promise.reject(new Error('out of memory'));
    await expect(bench.decide(session, chooseByModels(planner))).rejects.toThrow('out of memory');
    expect(await breaker.admit('site')).toBe(true);
  });

  const failures: readonly (readonly [string, () => ModelAnswer, TurnFailureCode, number])[] = [
    ['answers with prose', () => modelSaying('I would refine.'), 'model_invalid', 3],
    ['leaves the menu', () => choosing('phenix.polder'), 'model_invalid', 3],
    ['wants to stop', () => choosing('STOP'), 'model_invalid', 3],
    ['sets what it may not', () => choosing(second, { strategy: [{ key: 'nonsense', value: 1 }] }), 'model_invalid', 3],
    ['does not answer', () => failed, 'model_auth', 1],
  ];
  it.each(failures)('is made by the rules, with an event, if the model %s', async (_what, answer, code, requests) => {
    const byRules = decisionOf(await bench.decide(session));
    const outcome = await bench.decide(session, chooseByModels(aPlanner(answer).planner));
    const { planning, ...decision } = decisionOf(outcome);
    expect(decision).toEqual(byRules);
    expect(planning).toMatchObject({ prompt: 'plan 1', requests, failed: code } satisfies Partial<PlanningRecord>);
    expect(messagesOf(outcome)).toContain('The rules chose, for no model gave an answer that can be used: ');
  });

  it('is handed back if the process ends, and made by the rules if its result is no longer needed', async () => {
    const gone = aPlanner(() => choosing(second));
    gone.end(true);
    await expect(bench.decide(session, chooseByModels(gone.planner))).rejects.toMatchObject({
      code: 'decision.handed_back',
      kind: 'transient',
    });
    const unwanted = aPlanner(() => choosing(second));
    unwanted.end(false);
    const decision = decisionOf(await bench.decide(session, chooseByModels(unwanted.planner)));
    expect(decision).toMatchObject({ program: first, decidedBy: 'rules', planning: { failed: 'aborted' } });
  });

  it('is made by the rules, free of charge and with an event, if a budget is used up', async () => {
    const budgets = { session: { tokens: 1_000 } };
    const { planner, asked } = aPlanner(() => choosing(second), { budgets });
    const outcome = await bench.decide(session, chooseByModels(planner));
    const planning = { requests: 0, failed: 'model_budget' };
    expect(decisionOf(outcome)).toMatchObject({ program: first, decidedBy: 'rules', planning });
    expect(messagesOf(outcome)).toContain('site: the budget of the session does not allow another request');
    expect(asked).toEqual([]);
  });

  it('skips a target that just failed, and probes it with one request later', async () => {
    let answer: ModelAnswer = failed;
    const { planner, asked, clock } = aPlanner(() => answer);
    const decided = async () => decisionOf(await bench.decide(session, chooseByModels(planner))).planning;
    expect(await decided()).toMatchObject({ failed: 'model_auth', requests: 1 });
    const why = 'site: it failed recently and is skipped for a while';
    expect(await decided()).toMatchObject({ failed: 'model_unavailable', requests: 0, why });
    answer = choosing(second);
    clock.forward(31_000);
    expect(await decided()).toMatchObject({ target: 'site', requests: 1 });
    expect(asked).toHaveLength(2);
  });

  it('is handed back if another worker has taken the work', async () => {
    const { planner, asked } = aPlanner(() => choosing(second));
    const watch: Planner['watch'] = () =>
      Promise.resolve({
        signal: new AbortController().signal,
        isHandedBack: () => true,
        close: () => Promise.resolve(),
      });
    await expect(bench.decide(session, chooseByModels({ ...planner, watch }))).rejects.toMatchObject({
      code: 'decision.handed_back',
    });
    expect(asked).toEqual([]);
  });

  it('asks no model if the menu has one program', async () => {
    const { planner, asked } = aPlanner(() => choosing(second));
    const decision = decisionOf(
      await bench.decide(aSession({ ...session, cycle: 1, cycles: [] }), chooseByModels(planner)),
    );
    expect(decision).toMatchObject({ program: 'phenix.xtriage', decidedBy: 'rules' });
    expect(decision.planning).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('a planner session with models', () => {
  const courseOf = async (choose?: Chooser): Promise<Walk> =>
    bench.walk(inputs, {}, choose === undefined ? {} : { choose });

  it('is the same as without models if none answers', async () => {
    const [byRules, walked] = [await courseOf(), await courseOf(chooseByModels(aPlanner(() => failed).planner))];
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
    const walked = await courseOf(chooseByModels(aPlanner(answer).planner));
    expect(walked.stop.detail).not.toBe('');
    expect(turn).toBeGreaterThan(0);
    for (const { decision } of walked.session.cycles) expect(decision.validPrograms).toContain(decision.program);
  });
});

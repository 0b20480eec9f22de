import { turnFailureCodes, type ModelFailureClass, type TurnFailureCode } from '@fleet/contracts/models';
import type { Session } from '@fleet/contracts/sessions';
import type { TurnOutcome } from '@fleet/model-turns';
import type { ModelAnswer } from '@fleet/ports';
import { turnFailureTexts } from '@fleet/session-report';
import {
  dataFile,
  modelChoosing,
  modelFailing,
  modelFile,
  modelSaying,
  type ScriptedPlanner,
  sequenceFile,
  usualRuns,
  walkBench,
  useScriptedPlanners,
} from '@fleet/testing';
import { chooseByModels } from './choose-by-models';
import { chooseByRules } from './choose-by-rules';
import type { UndatedDecision } from './decision-types';
import { waitsForModel } from './model-outage';

const bench = walkBench({ installed: 'all', runs: usualRuns });
const aPlanner = useScriptedPlanners(bench);
const failing = (of: ModelFailureClass) => (): ModelAnswer => modelFailing(of);

describe('a decision of a session that waits for models', () => {
  let session: Session;
  let [first, second] = ['', ''];
  beforeAll(async () => {
    // The second decision is a real choice: search with the template, or predict.
    const inputs = [dataFile(), sequenceFile(), modelFile('/data/template.pdb')];
    await bench.walk(
      inputs,
      {},
      {
        settings: { model_outage: 'wait' },
        choose: (context) => {
          const [one, other] = context.menu.offered;
          if (first === '' && other !== undefined)
            [session, first, second] = [context.session, one?.program ?? '', other.program];
          return chooseByRules(context);
        },
      },
    );
  });
  const decide = async ({ planner }: ScriptedPlanner): Promise<UndatedDecision> => {
    const outcome = await bench.decide(session, chooseByModels(planner));
    if ('stop' in outcome) throw new Error(outcome.stop.detail);
    return outcome.decision;
  };

  it.each<[ModelFailureClass]>([['auth'], ['quota'], ['unavailable'], ['rate_limit'], ['timeout']])(
    'is not made if no target answers (%s), and others may take the work at once',
    async (of) => {
      const scripted = aPlanner(failing(of));
      await expect(decide(scripted)).rejects.toMatchObject({
        code: 'decision.waits_for_model',
        kind: 'transient',
        message: 'site: it answered 401',
      });
      expect(scripted.closed).toEqual([true]);
    },
  );

  it('is not made if its target is suspended, or answers too late', async () => {
    const resting = aPlanner(() => modelChoosing(second));
    await resting.breaker.report('site', 'down');
    await expect(decide(resting)).rejects.toThrow('skipped for a while');
    expect(resting.asked).toEqual([]);
    const late = aPlanner(() => modelChoosing(second));
    late.end();
    await expect(decide(late)).rejects.toThrow('no caller waits for the answer');
  });

  it.each<[string, () => ModelAnswer, TurnFailureCode]>([
    ['its answers are bad', () => modelSaying('I would refine.'), 'model_invalid'],
    ['it refuses', failing('refused'), 'model_refused'],
    ['it cannot read so much', failing('overflow'), 'context_limit'],
  ])('is made by the rules if a model answers, though %s', async (_what, answer, failed) => {
    const decision = await decide(aPlanner(answer));
    expect(decision).toMatchObject({ program: first, decidedBy: 'rules', planning: { failed } });
  });

  it('is made by the rules if a budget is used up', async () => {
    const scripted = aPlanner(() => modelChoosing(second), { budgets: { session: { tokens: 1_000 } } });
    expect(await decide(scripted)).toMatchObject({ program: first, planning: { failed: 'model_budget' } });
  });

  it('is made by the rules if a budget is used up, even if another target is unreachable', async () => {
    const scripted = aPlanner(() => modelChoosing(second), { budgets: { session: { tokens: 1_000 } } });
    const [site] = scripted.planner.targets;
    const targets = [site!, { ...site!, id: 'away' }];
    await scripted.breaker.report('away', 'down');
    const outcome = await bench.decide(session, chooseByModels({ ...scripted.planner, targets }));
    expect(outcome).toMatchObject({ decision: { program: first, planning: { failed: 'model_unavailable' } } });
  });

  it('pays nothing twice: a bad answer from before the outage is not requested again', async () => {
    const script = [modelSaying('I would refine.')];
    const scripted = aPlanner(() => script.shift() ?? failing('auth')());
    await expect(decide(scripted)).rejects.toThrow('it answered 401');
    expect(scripted.asked).toHaveLength(2);
    scripted.clock.forward(60_000);
    scripted.answer = () => modelChoosing(second);
    expect(await decide(scripted)).toMatchObject({ program: second, decidedBy: 'model', planning: { requests: 1 } });
    expect(scripted.asked[2]).toContain('cannot be used (1 of 3)');
  });

  /** A failure class that leads to each failure code of a turn. */
  const causes: Readonly<Record<TurnFailureCode, 'answered' | ModelFailureClass>> = {
    model_invalid: 'answered',
    model_unavailable: 'unavailable',
    model_rate_limited: 'rate_limit',
    model_quota: 'quota',
    model_auth: 'auth',
    model_refused: 'refused',
    model_budget: 'budget',
    context_limit: 'overflow',
    aborted: 'aborted',
  };

  it.each(turnFailureCodes)('%s: waits if the documentation calls it temporary', (code) => {
    const attempt = { target: 'site', model: 'm', hash: '', usage: {}, latencyMs: 1, result: causes[code] };
    const outcome: TurnOutcome<never> = { attempts: [attempt], code, why: '' };
    expect(waitsForModel(session, outcome)).toBe(turnFailureTexts[code].retryable);
  });
});

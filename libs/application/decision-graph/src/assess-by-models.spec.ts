import {
  aCycle,
  aDecision,
  aRequest,
  aResult,
  aSession,
  modelFailing,
  modelSaying,
  someSettings,
  usualRuns,
  walkBench,
  useScriptedPlanners,
} from '@fleet/testing';
import { assessByModels } from './assess-by-models';

const walks = walkBench({ installed: 'all', runs: usualRuns });
const aPlanner = useScriptedPlanners(walks);
const parts = {
  input_quality: 'Data to 2.05 Å.',
  goal_and_strategy: 'Look at the data.',
  strategy_assessment: 'As it should be.',
  current_status: 'R-free is 0.11, ready for deposition.',
  next_steps: 'Continue.',
};
const session = aSession({
  version: 5,
  request: aRequest({ settings: someSettings({ model_outage: 'wait' }) }),
  cycles: [
    aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({ metrics: { resolution: 2.05 } }) }),
  ],
});

describe('an assessment by models', () => {
  const bench = (answer: string, budgets = {}) => {
    const scripted = aPlanner(() => modelSaying(answer), { budgets });
    return { scripted, ledger: scripted.ledger, assess: assessByModels({ ...scripted.planner, mayWait: false }) };
  };

  it('contains the text of the model, with its wrong numbers marked, and is paid once', async () => {
    const { scripted, ledger, assess } = bench(JSON.stringify(parts));
    const made = await assess(session, 1);
    expect(made).toMatchObject({ status: session.status, version: 5, target: 'site', model: 'qwen3' });
    expect(made.parts?.[3]).toMatchObject({ text: parts.current_status, unsupported: [{ text: '0.11', at: 10 }] });
    expect(await assess(session, 1)).toEqual(made);
    expect(scripted.asked).toHaveLength(1);
    expect(await ledger.entries(session.id)).toMatchObject([
      { work: 'a001-assess', prompt: 'assess 1', result: 'answered' },
    ]);
    await assess(session, 2);
    expect(scripted.asked).toHaveLength(2);
  });

  it('gives the reason if three answers were wrong, or a budget is used up', async () => {
    const prose = bench('As an assistant I think that it is fine.');
    expect(await prose.assess(session, 1)).toMatchObject({ failed: 'model_invalid' });
    expect(prose.scripted.asked).toHaveLength(3);
    const poor = bench(JSON.stringify(parts), { session: { tokens: 1 } });
    expect(await poor.assess(session, 1)).toMatchObject({
      failed: 'model_budget',
      why: expect.stringMatching(/budget/) as string,
    });
    expect(poor.scripted.asked).toEqual([]);
  });

  it('does not wait for a model, even if the session waits for one in decisions', async () => {
    const { scripted, assess } = bench('');
    scripted.answer = () => modelFailing('unavailable', 'it is down');
    expect(await assess(session, 1)).toMatchObject({ failed: 'model_unavailable', why: 'site: it is down' });
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { buildDecisionGraph, chooseByModels } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { openTargets, type OpenTargets } from '@fleet/model-targets';
import { projectRules, ScriptedModels } from '@fleet/testing';
import { plannerOf, withChoice } from './asked-models';
import { deliver, figure, median, quantile, type Figure } from './figures';
import { ModelWorker, target } from './model-worker';

// The recorded sessions are in the folder of PHENIX_FLEET_TEST_SCENARIOS.
/** Rounds over all sessions whose menu has a choice, in this process. */
const ROUNDS = 40;
const WARM_UP = 10;
/** Sessions that wait for the model in every other round of the worker. */
const HUNG = 8;
const WORKER_ROUNDS = 30;
const WORKER_WARM_UP = 4;
/** Decisions in one round of the worker. */
const DECISIONS = 100;
/** Decisions beside a model that is left alone: all within its half minute. */
const LEFT_ALONE = 300;

let ruleBook: RuleBook;
let models: ScriptedModels;
let opened: OpenTargets;
const figures: Figure[] = [];

beforeAll(async () => {
  ruleBook = projectRules();
  models = await ScriptedModels.start();
  opened = openTargets([
    {
      id: target,
      protocol: 'openai',
      baseUrl: models.baseUrlOf('openai'),
      model: 'scripted',
      local: true,
      contextTokens: 128_000,
      maxOutputTokens: 4_096,
      sendsSchema: true,
      limits: { firstMs: 60_000, idleMs: 30_000, totalMs: 120_000 },
    },
  ]);
});

afterEach(() => deliver(figures));

afterAll(async () => {
  await opened.close();
  await models.close();
});

const p95 = (values: readonly number[]): number => quantile(values, 0.95);

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await act();
  return performance.now() - began;
};

const choosing = (program: string): string =>
  JSON.stringify({ program, reasons: 'It comes next.', strategy: [], confidence: 'high' });

/**
 * How many milliseconds longer each decision took than the same one by the rules, which were asked just before; of every session the
 * median, for one decision alone tells more of what else the machine does.
 */
const timesAbove = async (): Promise<readonly number[]> => {
  const rules = buildDecisionGraph({ ruleBook });
  const sessions = await withChoice(ruleBook);
  const above = sessions.map((): number[] => []);
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const graph = buildDecisionGraph({ ruleBook, choose: chooseByModels(plannerOf(ruleBook, opened.targets)) });
    for (const [index, { input, program }] of sessions.entries()) {
      models.play({ say: choosing(program) });
      const alone = await timed(() => rules.decide(input));
      const [began, outcome] = [performance.now(), await graph.decide(input)];
      const took = performance.now() - began;
      expect(outcome).toMatchObject({ decision: { program, decidedBy: 'model', planning: { requests: 1 } } });
      if (round >= 0) above[index]?.push(took - alone);
    }
  }
  process.stderr.write(`all decisions by a model, above the rules, ms (50, 95, 99 %): ${quantilesOf(above.flat())}\n`);
  return above.map(median);
};

const quantilesOf = (times: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((part) => quantile(times, part).toFixed(2)).join(' ');

describe('a decision by a model', () => {
  it('costs little beside what the model itself takes', async () => {
    const times = await timesAbove();
    const name = `decision by a model, above the same by the rules, p95 of ${String(times.length)} sessions (ms)`;
    figures.push(figure(name, p95(times), '<=', 15));
  });
});

describe('a decision worker with a model', () => {
  let worker: ModelWorker;
  beforeAll(async () => {
    models.play({ fault: 'hang' });
    worker = await ModelWorker.start(models.baseUrlOf('openai'), ruleBook);
  });
  afterAll(() => worker.stop());

  /** Milliseconds of decisions by the rules, one after the other. */
  const byRules = async (): Promise<readonly number[]> => {
    const times: number[] = [];
    while (times.length < DECISIONS) {
      const { ms, planning } = await worker.decide('ruled');
      expect(planning).toBeUndefined();
      times.push(ms);
    }
    return times;
  };

  const besideHung = async (): Promise<readonly number[]> => {
    models.play({ fault: 'hang' });
    const ids = await worker.ask(HUNG);
    while (models.requests.length < HUNG) await sleep(20);
    const times = await byRules();
    await worker.letGo(ids);
    return times;
  };

  it('decides by the rules as fast while eight calls hang', async () => {
    const [alone, beside, ratios]: [number[], number[], number[]] = [[], [], []];
    for (let round = -WORKER_WARM_UP; round < WORKER_ROUNDS; round += 1) {
      const early = round % 2 === 0 ? await byRules() : undefined;
      const hung = await besideHung();
      const undisturbed = early ?? (await byRules());
      if (round < 0) continue;
      alone.push(...undisturbed);
      beside.push(...hung);
      ratios.push(p95(hung) / p95(undisturbed));
    }
    process.stderr.write(
      `decisions by the rules, ms (50, 95, 99 %): ${quantilesOf(alone)}, beside hung calls ${quantilesOf(beside)}\n`,
    );
    process.stderr.write(
      `their ratios, p95 of a round (25, 50, 75 %): ${[0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2)).join(' ')}\n`,
    );
    figures.push(
      figure('decisions by the rules beside 8 hung calls, p95 against undisturbed', median(ratios), '<=', 1.2),
    );
  });

  it('follows the rules at once while its model is left alone', async () => {
    models.play({ fault: 'hang' });
    await worker.leaveAlone();
    const times: number[] = [];
    const until = performance.now() + 25_000;
    while (times.length < LEFT_ALONE && performance.now() < until) {
      const { ms, planning } = await worker.decide('asking');
      expect(planning).toMatchObject({ failed: 'model_unavailable', requests: 0 });
      times.push(ms);
    }
    expect(models.requests).toHaveLength(0);
    process.stderr.write(`${times.length} decisions, the model left alone, ms (50, 95, 99 %): ${quantilesOf(times)}\n`);
    figures.push(figure('decision by the rules while the model is left alone, p95 (ms)', p95(times), '<=', 50));
  });
});

import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionFile } from '@fleet/contracts/sessions';
import {
  dataFile,
  dictionaryFile,
  type FakeRuns,
  mapFile,
  modelChoosing,
  modelFile,
  refinements,
  type ScriptedPlanner,
  sequenceFile,
  usualRuns,
  type Walk,
  walkBench,
  words,
  useScriptedPlanners,
} from '@fleet/testing';
import { mayStop } from '@fleet/workflow';
import { chooseByModels } from './choose-by-models';
import type { Chooser } from './decision-types';

const runs: FakeRuns = {
  ...usualRuns,
  refine: refinements(0.25, 0.24, 0.23, 0.22),
  mtriage: [{ metrics: { resolution: 3.2 } }],
  real_space_refine: [{ metrics: { map_cc: 0.6 } }],
};
const bench = walkBench({ installed: 'all', runs });
const aPlanner = useScriptedPlanners(bench);
const files = [dataFile(), modelFile()];
const limited: SessionDirectives = { stop_conditions: { max_refine_cycles: 1, r_free_target: 0.1 } };

/** A model that always wants to stop. */
const stopper = (): { readonly scripted: ScriptedPlanner; readonly choose: Chooser } => {
  const scripted = aPlanner(() => modelChoosing('STOP'));
  return { scripted, choose: chooseByModels(scripted.planner) };
};

/** An ended session that gets new advice. */
const thenAdvised = async (choose: Chooser, directives: SessionDirectives = {}): Promise<Walk> => {
  const from = (await bench.walk(files)).session.cycles;
  const steering = { adviceChangedAfter: from.at(-1)?.cycle ?? 0 };
  return bench.walk(files, {}, { from, directives, steering, choose });
};

describe('STOP as a choice of a model', () => {
  it('ends a session after new advice like the finished workflow, and states who chose it and why', async () => {
    const { scripted, choose } = stopper();
    const walked = await thenAdvised(choose);
    expect(words(walked)).toBe('STOP converged');
    expect(walked.stop.detail).toContain('meets the target');
    expect(walked.stop.detail).toContain('qwen3 chose to stop: "The numbers say so.".');
    expect(scripted.asked).toHaveLength(1);
    expect(scripted.asked[0]).toContain('- STOP: run nothing more, the session ends with what it has');
  });

  it('reports the choice as an event, with the target and its model', async () => {
    const { session } = await thenAdvised(stopper().choose);
    const { events } = await bench.decide({ ...session, cycle: session.cycles.length + 1 }, stopper().choose);
    const [chosen] = events.filter(({ type }) => type === 'program_selected');
    expect(chosen?.message).toBe('STOP: qwen3 chose to stop: "The numbers say so."');
    expect(chosen?.data).toMatchObject({ program: 'STOP', target: 'site', model: 'qwen3' });
  });

  it('leads to the validation if the model is not validated', async () => {
    const { scripted, choose } = stopper();
    const byRules = await bench.walk(files, {}, { directives: limited });
    const walked = await bench.walk(files, {}, { directives: limited, choose });
    expect(words(walked)).toBe(words(byRules));
    expect(words(walked)).toMatch(/refine molprobity STOP refinement_limit$/);
    const { decision } = walked.session.cycles.at(-1) ?? {};
    expect(decision).toMatchObject({
      program: 'phenix.molprobity',
      decidedBy: 'model',
      planning: { target: 'site', model: 'qwen3', requests: 1 },
    });
    expect(decision?.argv).toEqual(byRules.session.cycles.at(-1)?.decision.argv);
    expect(decision?.reasoning).toMatch(
      /^qwen3 chose to stop: "The numbers say so\."\. No session ends before its model is validated\. /,
    );
    expect(scripted.asked.at(-1)).toContain(
      '- STOP: run nothing more but the validation, without which no session ends',
    );
  });

  it('is not possible while a request of the submitter is pending: that runs', async () => {
    const { scripted, choose } = stopper();
    const walked = await thenAdvised(choose, { stop_conditions: { start_with_program: 'phenix.map_correlations' } });
    expect(words(walked)).toBe('map_correlations STOP converged');
    expect(scripted.asked.length).toBeGreaterThan(0);
    expect(scripted.asked.join('\n')).not.toContain('- STOP:');
  });
});

describe('the stages that offer STOP', () => {
  const has = ['validate', 'follow_up'];
  const halves = [mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4')];
  const sequence = sequenceFile();

  it.each(['xray', 'cryoem'] as const)('are only those of a refined model: %s', (experiment) => {
    const { steps } = bench.ruleBook.workflows[experiment];
    expect(Object.keys(steps).length).toBeGreaterThan(8);
    for (const [name, { state, stop_when }] of Object.entries(steps)) {
      expect([name, stop_when !== undefined]).toEqual([name, has.includes(name)]);
      if (stop_when !== undefined) expect(state).toBe(`${experiment}_refined`);
    }
  });

  it.each<[string, readonly SessionFile[], FakeRuns]>([
    ['a placed model', files, {}],
    ['a search', [dataFile(), sequence, modelFile('/data/template.pdb')], {}],
    ['a prediction', [dataFile(), sequence], {}],
    ['a ligand', [...files, dictionaryFile('NUT')], {}],
    ['a poor model', [...files, sequence], { refine: refinements(0.42, 0.41, 0.4) }],
    ['a map with a model', [mapFile('/data/full_map.ccp4'), modelFile()], {}],
    ['half maps with a sequence', [...halves, sequence], {}],
  ])('%s: the session runs as by the rules, whatever the model chooses', async (_what, inputs, more) => {
    const { scripted, choose } = stopper();
    const invalid: string[] = [];
    const walked = await bench.walk(inputs, more, {
      choose: async (context) => {
        const { step } = context.menu;
        const before = scripted.asked.length;
        const choice = await choose(context);
        if (mayStop(context.menu) && !has.includes(step)) invalid.push(step);
        for (const text of scripted.asked.slice(before))
          if (text.includes('- STOP:') !== mayStop(context.menu)) invalid.push(`the prompt of ${step}`);
        return choice;
      },
    });
    expect(invalid).toEqual([]);
    expect(words(walked)).toBe(words(await bench.walk(inputs, more)));
    expect(walked.session.cycles.length).toBeGreaterThan(2);
  });
});

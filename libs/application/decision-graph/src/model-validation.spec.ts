import { problemWithCommand } from '@fleet/commands';
import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { DecisionRecord, SessionFile } from '@fleet/contracts/sessions';
import { sessionFiles } from '@fleet/files';
import {
  argvOf,
  dataFile,
  type FakeRuns,
  mapFile,
  modelChoosing,
  modelFile,
  modelSaying,
  refinements,
  type ScriptedPlanner,
  sequenceFile,
  unrefined,
  usualRuns,
  type Walk,
  walkBench,
  words,
  useScriptedPlanners,
} from '@fleet/testing';
import * as fc from 'fast-check';
import { chooseByModels } from './choose-by-models';
import type { Chooser } from './decision-types';

const runs: FakeRuns = {
  ...usualRuns,
  model_vs_data: unrefined,
  refine: refinements(0.31, 0.29, 0.27),
  molprobity: [{ metrics: { clashscore: 3 } }],
};
const bench = walkBench({ installed: 'all', runs });
const aPlanner = useScriptedPlanners(bench);
const files = [dataFile(), modelFile()];
const settings = { r_free_target: 0.1, max_refine_cycles: 3 };
const byRules = 'xtriage model_vs_data refine refine refine molprobity STOP refinement_limit';

const menuOf = (prompt: string): readonly string[] =>
  [...prompt.matchAll(/^- (phenix\.\w+|STOP):/gm)].map(([, name = '']) => name);

interface ModelQuery {
  readonly prompts: readonly string[];
  readonly choose: Chooser;
}

/** A model that chooses from the menu that it is shown. */
const picking = (pick: (menu: readonly string[]) => string | undefined, more: object = {}): ModelQuery => {
  const scripted: ScriptedPlanner = aPlanner(() => {
    const menu = menuOf(scripted.asked.at(-1) ?? '');
    const program = pick(menu) ?? menu[0] ?? '';
    return Object.keys(more).length === 0
      ? modelChoosing(program)
      : modelSaying(JSON.stringify({ program, reasons: '', strategy: [], confidence: 'high', ...more }));
  });
  return { prompts: scripted.asked, choose: chooseByModels(scripted.planner) };
};
const eager = (...programs: readonly string[]): ModelQuery =>
  picking((menu) => programs.map((name) => `phenix.${name}`).find((name) => menu.includes(name)));

const walkWith = (choose: Chooser, more: FakeRuns = {}, directives: SessionDirectives = {}): Promise<Walk> =>
  bench.walk(files, more, { settings, directives, choose });
const decisionsOf = ({ session }: Walk, program: string): readonly DecisionRecord[] =>
  session.cycles.map(({ decision }) => decision).filter((one) => one.program === `phenix.${program}`);

describe('a validation as the choice of a model', () => {
  it('runs once after each refinement, which continues as by the rules, and the validation gate still holds', async () => {
    const walked = await walkWith(eager('molprobity').choose);
    expect(words(walked)).toBe(
      'xtriage model_vs_data refine molprobity refine molprobity refine molprobity STOP refinement_limit',
    );
    const plain = await bench.walk(files, {}, { settings });
    expect(words(plain)).toBe(byRules);
    expect(walked.stop.detail).toBe(plain.stop.detail);
    const refined = ['/work/c3/refine_001_001.pdb', '/work/c5/refine_002_001.pdb', '/work/c7/refine_003_001.pdb'];
    expect([0, 1, 2].map((run) => argvOf(walked, 'molprobity', run)[1])).toEqual(refined);
    expect([1, 2].map((run) => argvOf(walked, 'refine', run)[1])).toEqual(refined.slice(0, 2));
  });

  it('is recorded with who chose it, and from what', async () => {
    const { prompts, choose } = eager('molprobity');
    const walked = await walkWith(choose);
    const [first] = decisionsOf(walked, 'molprobity');
    expect(first).toMatchObject({
      step: 'refine',
      workflowState: 'xray_refined',
      decidedBy: 'model',
      planning: { target: 'site', model: 'qwen3' },
      validPrograms: ['phenix.refine', 'phenix.molprobity'],
    });
    expect(first?.notOffered.map(({ program }) => program)).not.toContain('phenix.molprobity');
    expect(prompts[0]).toContain('| phenix.molprobity: the geometry of the model as it is now; refinement continues');
    const { cycles } = walked.session;
    const { events } = await bench.decide({ ...walked.session, cycle: 4, cycles: cycles.slice(0, 3) }, choose);
    expect(events.find(({ type }) => type === 'program_selected')?.data).toMatchObject({
      program: 'phenix.molprobity',
      valid_programs: ['phenix.refine', 'phenix.molprobity'],
      model: 'qwen3',
    });
  });

  it('is not offered to the rules, nor to a chooser that is not a model', async () => {
    const plain = await bench.walk(files, {}, { settings });
    for (const { step, validPrograms } of decisionsOf(plain, 'refine'))
      if (step === 'refine') expect(validPrograms).toEqual(['phenix.refine']);
    const insists: Chooser = () => ({ program: 'phenix.molprobity', reasoning: 'I want it', strategy: {} });
    const { session } = plain;
    const outcome = await bench.decide({ ...session, cycle: 4, cycles: session.cycles.slice(0, 3) }, insists);
    expect(outcome).toMatchObject({ decision: { program: 'phenix.refine', decidedBy: 'rules' } });
    const rulesOnly = await bench.walk(
      files,
      {},
      { settings: { ...settings, use_rules_only: true }, choose: eager('molprobity').choose },
    );
    expect(words(rulesOnly)).toBe(byRules);
  });

  it('is not repeated for a model that no refinement has improved; the end still has one', async () => {
    const walked = await walkWith(eager('molprobity').choose, { refine: refinements(0.29, 0.31) });
    expect(words(walked)).toBe('xtriage model_vs_data refine molprobity refine molprobity STOP plateau');
    expect(argvOf(walked, 'molprobity', 1)).toEqual(argvOf(walked, 'molprobity'));
    expect(decisionsOf(walked, 'molprobity').map(({ step }) => step)).toEqual(['refine', 'validate']);
  });

  it('is tried once if it fails, until refinement is finished', async () => {
    const walked = await walkWith(eager('molprobity').choose, { molprobity: [{ fails: 'Sorry: no' }, {}] });
    expect(words(walked)).toBe(
      'xtriage model_vs_data refine molprobity refine refine molprobity STOP refinement_limit',
    );
  });

  it.each<[string, SessionDirectives]>([
    ['the submitter wants no validation', { stop_conditions: { skip_validation: true } }],
    ['the submitter skips the program', { workflow_preferences: { skip_programs: ['phenix.molprobity'] } }],
    ['a directive has changed the menu', { workflow_preferences: { prefer_programs: ['phenix.refine'] } }],
  ])('is not on the menu if %s', async (_what, directives) => {
    const validations: string[] = [];
    await bench.walk(
      files,
      {},
      {
        settings,
        directives,
        choose: (context) => {
          validations.push(...context.menu.forModels.map(({ program }) => `${context.menu.step} ${program}`));
          const [first] = context.menu.offered;
          return first && { program: first.program, reasoning: '', strategy: {} };
        },
      },
    );
    expect(validations.filter((one) => one.includes('molprobity'))).toEqual([]);
  });
});

describe('a validation as the choice of a model in cryo-EM', () => {
  const inputs = [mapFile('/data/full_map.ccp4'), modelFile()];
  const refined = (...values: readonly number[]): FakeRuns => ({
    map_correlations: [{ metrics: { cc_mask: 0.5 } }],
    real_space_refine: values.map((map_cc, index) => ({
      metrics: { map_cc },
      outputs: [modelFile(`/work/r${String(index)}/rsr_real_space_refined_00${String(index)}.pdb`)],
    })),
  });
  const courseOf = async (choose: Chooser | undefined, more: FakeRuns): Promise<string> =>
    words(await bench.walk(inputs, more, { settings, ...(choose !== undefined && { choose }) }));

  it('is one of the two programs, once after each refinement, and fit and geometry are validated at the end', async () => {
    const growing = refined(0.55, 0.6, 0.65);
    expect(await courseOf(undefined, growing)).toMatch(/(real_space_refine ){3}validation_cryoem molprobity STOP/);
    expect(await courseOf(eager('molprobity').choose, growing)).toMatch(
      /real_space_refine molprobity real_space_refine molprobity real_space_refine molprobity STOP/,
    );
    expect(await courseOf(eager('validation_cryoem').choose, growing)).toMatch(
      /real_space_refine validation_cryoem real_space_refine validation_cryoem real_space_refine validation_cryoem molprobity STOP/,
    );
  });

  it('ends the refinement of a model at its target, which is a success', async () => {
    const atTarget = refined(0.6, 0.75, 0.8);
    expect(await courseOf(undefined, atTarget)).toMatch(/(real_space_refine ){3}/);
    const walked = await courseOf(eager('molprobity').choose, atTarget);
    expect(walked).toMatch(/real_space_refine molprobity real_space_refine molprobity STOP converged$/);
  });
});

describe('any answer of a model that chooses from its menu', () => {
  const sets: readonly (readonly SessionFile[])[] = [
    files,
    [...files, sequenceFile()],
    [mapFile('/data/full_map.ccp4'), modelFile()],
  ];
  const isEarly = ({ decision }: Walk['session']['cycles'][number]): boolean =>
    decision.step === 'refine' && bench.ruleBook.programs[decision.program]?.group === 'validation';

  it('leads to an end with a reason, by commands that the rules accept, with one early validation per refinement', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sets),
        fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }),
        fc.array(fc.double({ min: 0.15, max: 0.6, noNaN: true }), { minLength: 1, maxLength: 5 }),
        async (inputs, picks, values) => {
          let turn = 0;
          const { choose } = picking((menu) => menu[picks[turn++ % picks.length]! % menu.length]);
          const walked = await bench.walk(inputs, { refine: refinements(...values) }, { choose });
          expect(walked.stop.detail).not.toBe('');
          const { cycles } = walked.session;
          const all = sessionFiles(walked.session);
          for (const [at, cycle] of cycles.entries()) {
            const { program, argv, validPrograms } = cycle.decision;
            expect(validPrograms).toContain(program);
            expect(problemWithCommand(argv, bench.ruleBook.programs[program]!, all)).toBeUndefined();
            if (isEarly(cycle)) expect(isEarly(cycles[at - 1]!)).toBe(false);
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);
});

describe('a file that a model names', () => {
  const named = [{ slot: 'model', file: 'model.pdb' }];

  it.each(['files', 'file_hints', 'inputs'])(
    'is not allowed in an answer (%s): the model is corrected, and the rules choose',
    async (member) => {
      const { prompts, choose } = picking(() => undefined, { [member]: named });
      const walked = await walkWith(choose);
      expect(words(walked)).toBe(byRules);
      expect(prompts.some((prompt) => prompt.includes(`answer.${member} is not known`))).toBe(true);
    },
  );
});

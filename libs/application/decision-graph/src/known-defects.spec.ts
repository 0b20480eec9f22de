import { shortName, type SessionFile } from '@fleet/contracts/sessions';
import type { Facts, RuleBook } from '@fleet/knowledge-model';
import {
  aCycle,
  aDecision,
  aRequest,
  aResult,
  argvOf,
  aSession,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  refinements,
  sequenceFile,
  unrefined,
  usualRuns,
  walkBench,
  words,
} from '@fleet/testing';
import { describeSession } from '@fleet/workflow';
import { buildDecisionGraph } from './build-graph';
import type { Chooser } from './index';

const bench = walkBench({ installed: 'all', runs: { ...usualRuns, model_vs_data: unrefined } });

const strong = [{ metrics: { resolution: 2.2, anomalous_measurability: 0.18 } }];
const anomalous = dataFile({
  observations: [{ labels: 'I(+),SIGI(+),I(-),SIGI(-)', kind: 'intensity', anomalous: true }],
});
const full = mapFile('/data/map.ccp4');

/** One test for each defect of the public agent that a user would notice; those of its log parsing are in libs/domain/log-parsing. */
describe('defects of the public agent that must not recur', () => {
  it.each([
    ['the same command', {}],
    ['ever another command', { quick: true }],
  ])('a failing autosol is not repeated forever: %s', async (_name, change) => {
    const choose: Chooser = ({ menu, session, rejections }) => {
      const { program } = menu.offered.find((one) => !rejections.some((other) => other.program === one.program))!;
      const strategy = 'quick' in change && program === 'phenix.autosol' ? { nproc: session.cycle } : {};
      return { program, reasoning: 'a test', strategy };
    };
    const walked = await bench.walk(
      [anomalous, sequenceFile()],
      {
        xtriage: strong,
        autosol: [{ fails: 'Sorry: the substructure search did not end' }],
        predict_and_build: [
          { metrics: { r_free: 0.24 }, outputs: [modelFile('/work/b/x_overall_best.pdb', { waters: 60 })] },
        ],
      },
      { choose },
    );
    const tries = 'quick' in change ? 'autosol autosol' : 'autosol';
    expect(words(walked)).toBe(`xtriage ${tries} predict_and_build refine molprobity STOP converged`);
  });

  it('done flags match the exact name: a program sets its own flag and no other', () => {
    const { ruleBook, catalogue } = bench;
    for (const { name, done, experiments } of Object.values(ruleBook.programs)) {
      const decision = aDecision({ program: name, experimentType: experiments[0]! });
      const outputs = [
        modelFile('/w/refine_1_docked_real_space_refined_overall_best.pdb'),
        mapFile('/w/denmod_sharpened.ccp4'),
      ];
      const cycles = [
        aCycle({ decision, result: aResult({ summary: 'refine autobuild phaser molprobity', outputs }) }),
      ];
      const facts: Facts = describeSession({ session: aSession({ cycles }), ruleBook, catalogue }).facts;
      const set = Object.keys(facts).filter((fact) => fact.startsWith('done.') && facts[fact] === true);
      expect([name, set]).toEqual([name, [`done.${done.flag}`]]);
      expect(Object.keys(facts).filter((fact) => fact.startsWith('runs.') && facts[fact] === 1)).toEqual([
        `runs.${shortName(name)}`,
      ]);
    }
  });

  it('the order of preference is that of the step, not of the state that several steps share', async () => {
    const { steps } = bench.ruleBook.workflows.xray;
    expect(steps['obtain_model']?.state).toBe(steps['molecular_replacement']?.state);
    const first = async (inputs: readonly SessionFile[]): Promise<string | undefined> =>
      (await bench.walk(inputs, { xtriage: strong }, { settings: { max_cycles: 2 } })).programs[1];
    expect(await first([anomalous, sequenceFile()])).toBe('autosol');
    expect(await first([anomalous, sequenceFile(), modelFile('/data/template.pdb')])).toBe('phaser');
  });

  it('changing the order in the knowledge changes the choice', async () => {
    const { xray } = bench.ruleBook.workflows;
    const step = xray.steps['molecular_replacement']!;
    const steps = { ...xray.steps, molecular_replacement: { ...step, programs: step.programs.toReversed() } };
    const ruleBook = { ...bench.ruleBook, workflows: { ...bench.ruleBook.workflows, xray: { ...xray, steps } } };
    const inputs = [dataFile(), sequenceFile(), modelFile('/data/template.pdb')];
    const done = aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) });
    const input = {
      session: aSession({ cycle: 2, cycles: [done], request: aRequest({ inputs }) }),
      catalogue: bench.catalogue,
      now: '',
    };
    const programOf = async (rules: RuleBook): Promise<string | false> => {
      const outcome = await buildDecisionGraph({ ruleBook: rules }).decide(input);
      return 'decision' in outcome && outcome.decision.program;
    };
    expect(await programOf(bench.ruleBook)).toBe('phenix.phaser');
    expect(await programOf(ruleBook)).toBe('phenix.predict_and_build');
  });

  it('docking comes before sharpening', async () => {
    const walked = await bench.walk([full, modelFile('/data/template.pdb')]);
    expect(walked.programs.slice(0, 2)).toEqual(['mtriage', 'dock_in_map']);
  });

  it('molprobity gets the refined model, pdbtools the refined model and the fitted ligand', async () => {
    const ligand = modelFile('/data/lig.pdb', { polymerResidues: 0, ligandCodes: ['NUT'], atoms: 31 });
    const walked = await bench.walk([dataFile(), modelFile('/data/template.pdb'), ligand], {
      ligandfit: [{ outputs: [modelFile('/work/l/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })] }],
      pdbtools: [{ outputs: [modelFile('/work/m/x_with_ligand.pdb', { ligandCodes: ['NUT'] })] }],
    });
    expect(argvOf(walked, 'pdbtools').slice(1, 3)).toEqual(['/work/c3/refine_001_001.pdb', '/work/l/ligand_fit_1.pdb']);
    expect(argvOf(walked, 'molprobity')[1]).toMatch(/refine_002_L__001\.pdb$/);
  });

  it('molprobity gets the best refined model, not the newest or the submitted one', async () => {
    const walked = await bench.walk([dataFile(), modelFile('/data/zz_model.pdb')], {
      refine: refinements(0.34, 0.315, 0.33),
    });
    expect(words(walked)).toContain('refine refine refine molprobity');
    expect(argvOf(walked, 'molprobity')[1]).toMatch(/refine_002_001\.pdb$/);
  });

  it('the sanity issue for a changed experiment type can be raised', async () => {
    const cycles = [aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) })];
    const request = aRequest({ inputs: [mapFile('/data/m.mrc'), modelFile()] });
    const outcome = await bench.decide(aSession({ cycle: 2, cycles, request }));
    expect('stop' in outcome && outcome.stop.reason).toBe('red_flag');
    expect(outcome.events.map(({ data }) => data['id'])).toContain('experiment_type_changed');
  });

  it('an unknown metric passes no comparison: without an R-free no ligand is fitted and nothing is rebuilt', async () => {
    const map = dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, '/w/refine_001_001.mtz');
    const inputs = [dataFile(), modelFile(), sequenceFile(), dictionaryFile('NUT')];
    const refined = (metrics: Readonly<Record<string, number>>) => ({
      refine: [{ metrics, outputs: [modelFile('/w/refine_001_001.pdb'), map] }],
    });
    const after = async (metrics: Readonly<Record<string, number>>): Promise<string> =>
      words(await bench.walk(inputs, refined(metrics), { settings: { max_cycles: 8 } }));
    expect(await after({ r_free: 0.3 })).toContain('refine ligandfit');
    expect(await after({ r_free: 0.4 })).toContain('refine autobuild');
    expect(await after({})).toBe('xtriage model_vs_data refine refine molprobity STOP plateau');
  });

  it('a low clashscore is not a correlation: refinement continues below the target', async () => {
    const refined = {
      metrics: { map_cc: 0.6, clashscore: 5 },
      outputs: [modelFile('/w/rsr_001_real_space_refined_000.pdb')],
    };
    const walked = await bench.walk([full, modelFile()], {
      map_correlations: [{ metrics: { cc_mask: 0.55 } }],
      real_space_refine: [refined],
    });
    expect(words(walked)).toBe(
      'mtriage map_correlations real_space_refine real_space_refine validation_cryoem molprobity STOP plateau',
    );
  });

  it('files are numbered by the runs of their program, not by cycles', async () => {
    const walked = await bench.walk([dataFile(), modelFile('/data/template.pdb')], { refine: refinements(0.34, 0.25) });
    const prefixes = [0, 1].map((run) =>
      argvOf(walked, 'refine', run).find((token) => token.startsWith('output.prefix')),
    );
    expect(prefixes).toEqual(['output.prefix=refine_001', 'output.prefix=refine_002']);
  });
});

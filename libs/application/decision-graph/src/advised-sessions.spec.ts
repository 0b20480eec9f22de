import { firstGuidance, nextGuidance, readAdvice } from '@fleet/advice';
import type { Guidance, SessionDirectives } from '@fleet/contracts/guidance';
import type { Session, SessionFile } from '@fleet/contracts/sessions';
import {
  argvOf,
  dataFile,
  modelFile,
  refinements,
  sequenceFile,
  usualRuns,
  walkBench,
  withOutputs,
  words,
  type FakeRuns,
  type Walk,
} from '@fleet/testing';

const bench = walkBench({ installed: 'all', runs: { ...usualRuns, refine: refinements(0.25, 0.24, 0.23, 0.22) } });
const at = '2026-11-21T08:00:00.000Z';

const read = (raw: string) => readAdvice(raw, bench.ruleBook, { experiment: 'xray' });
const adviceOf = (text: string) => ({ sources: [{ from: 'text' as const, text }] });

const model = dataFile();
const placed = [model, modelFile()];
const toSearch = [model, modelFile('/data/template.pdb')];
const anomalous = [
  dataFile({ observations: [{ labels: 'I(+),I(-)', kind: 'intensity', anomalous: true }] }),
  sequenceFile(),
];
const strongSignal = { xtriage: [{ metrics: { resolution: 2.1, anomalous_measurability: 0.2 } }] };

/** A whole session with this advice. */
const advised = (text: string, inputs: readonly SessionFile[], runs: FakeRuns = {}): Promise<Walk> => {
  const guidance = firstGuidance(adviceOf(text), read, at);
  return bench.walk(inputs, runs, { advice: text, ...(guidance === undefined ? {} : { guidance }) });
};

/** The guidance of an ended session after new advice. */
const guidanceAfter = (session: Session, text: string): Guidance => {
  const guidance = nextGuidance({ ...session, status: 'completed' }, adviceOf(text), read, at);
  if (guidance === undefined) throw new Error('the advice is not new');
  return guidance;
};

interface Finished {
  readonly inputs?: readonly SessionFile[];
  readonly runs?: FakeRuns;
  readonly directives?: SessionDirectives;
}

/** A finished session, resumed with this advice. */
const resumed = async (text: string, { inputs = placed, runs = {}, directives = {} }: Finished = {}): Promise<Walk> => {
  const { session } = await bench.walk(inputs, runs, { directives });
  return bench.walk(inputs, runs, { from: session.cycles, directives, guidance: guidanceAfter(session, text) });
};

const holdingLigand = (file: SessionFile): SessionFile =>
  file.facts.model === undefined ? file : modelFile(file.path, { ligandCodes: ['MES'] });
const withLigand: Finished = {
  inputs: [model, modelFile('/data/model.pdb', { ligandCodes: ['MES'] })],
  runs: { refine: withOutputs(refinements(0.25, 0.24), holdingLigand) },
};

describe("the agent's examples of advice, as whole sessions", () => {
  it('one resolution for phasing, another for refinement', async () => {
    const text =
      'Use resolution 3.0 in autosol (anomalous signal is weak at high resolution)\nbut refine to 2.5 Angstroms.';
    const walked = await advised(text, anomalous, strongSignal);
    expect(words(walked)).toBe('xtriage autosol autobuild refine refine refine molprobity STOP converged');
    expect(argvOf(walked, 'autosol')).toContain('resolution=3');
    expect(argvOf(walked, 'refine')).toContain('xray_data.high_resolution=2.5');
  });

  it('phaser and one round of refinement, without validation', async () => {
    const text = "Just run phaser and one round of refinement to check if MR worked.\nDon't bother with validation.";
    expect(words(await advised(text, toSearch))).toBe('xtriage phaser refine STOP goal_reached');
  });

  it('SAD up to the first model', async () => {
    const text =
      'This is a SAD dataset with selenium. Use resolution 3.0 for autosol\n(the anomalous signal is weak at high resolution) but refine to 2.0.\n' +
      "Stop after getting an initial model - I'll do ligand fitting manually.\nUse anisotropic refinement for the final cycles.";
    const walked = await advised(text, anomalous, strongSignal);
    expect(words(walked)).toBe('xtriage autosol autobuild STOP goal_reached');
    expect(argvOf(walked, 'autosol')).toEqual(expect.arrayContaining(['resolution=3', 'autosol.atom_type=Se']));
  });

  it('experimental phasing, and no automatic building', async () => {
    const text =
      'Use experimental phasing, not molecular replacement.\nSkip autobuild - I want to build the model manually.';
    const walked = await advised(text, [...anomalous, modelFile('/data/template.pdb')]);
    expect(walked.programs.slice(0, 2)).toEqual(['xtriage', 'autosol']);
    expect(walked.programs).not.toContain('phaser');
    expect(walked.programs).not.toContain('autobuild');
  });

  it('MR-SAD: phaser, then phasing with the placed model', async () => {
    const text =
      'Run MR-SAD. Use the AlphaFold model for molecular replacement first,\nthen use the placed model for SAD phasing to locate Fe sites.\n' +
      'atom_type=Fe, sites=4, wavelength=1.1158';
    const walked = await advised(text, [model, sequenceFile(), modelFile()]);
    expect(words(walked)).toBe('xtriage phaser autosol STOP goal_reached');
    expect(argvOf(walked, 'autosol')).toEqual(
      expect.arrayContaining(['partpdb_file=/work/p/PHASER.1.pdb', 'autosol.atom_type=Fe', 'autosol.sites=4']),
    );
  });

  it('a tutorial about twinning', async () => {
    const text =
      'Run Xtriage on the reflection data to analyze for twinning.\nCheck for evidence of twinning in the porin dataset.';
    expect(words(await advised(text, placed))).toBe('xtriage STOP goal_reached');
  });

  it('an omit map, and then the workflow', async () => {
    const text = 'Calculate a polder map for ligand MES 88 and then run refinement.';
    const walked = await advised(text, placed);
    expect(words(walked)).toBe('polder xtriage model_vs_data refine refine refine molprobity STOP converged');
    expect(argvOf(walked, 'polder')).toContain('selection="resname MES and resseq 88"');
  });

  it('an omit map of a finished structure', async () => {
    const text = 'also run polder on the MES ligand in chain B residue 100';
    const walked = await resumed(text, withLigand);
    expect(words(walked)).toBe('polder STOP converged');
    expect(argvOf(walked, 'polder').at(-1)).toBe('selection="resname MES and resseq 100 and chain B"');
  });

  it('a report on a finished structure', async () => {
    const walked = await resumed('run model_vs_data to get a comprehensive validation report');
    expect(words(walked)).toBe('model_vs_data STOP converged');
  });

  it('two programs in their order on a finished structure', async () => {
    const walked = await resumed('run polder on the MES ligand, then run map_correlations', withLigand);
    expect(words(walked)).toBe('polder map_correlations STOP converged');
  });
});

describe('new advice on a finished session', () => {
  it.each([
    ['refine again and stop', 'refine STOP goal_reached'],
    ['two more refinements', 'refine refine molprobity STOP converged'],
    ['refine twice and stop', 'refine refine STOP converged'],
    ['one more round of refinement, then run molprobity', 'refine molprobity STOP converged'],
    ['run molprobity', 'molprobity STOP converged'],
    ['at most 2 refinement cycles', 'model_vs_data STOP converged'],
    ['4 copies in phaser', 'model_vs_data STOP converged'],
    ['skip validation', 'STOP converged'],
    ['run polder on residue 88 and stop', 'polder STOP goal_reached'],
    ['use 2.0 Å, refine twice and stop', 'refine refine STOP converged'],
  ])('%s: %s', async (text, course) => {
    expect(words(await resumed(text))).toBe(course);
  });

  it('keeps the fulfilled directives of the submission', async () => {
    const directives = { stop_conditions: { after_program: 'phenix.refine' } };
    expect(words(await resumed('run molprobity', { directives }))).toBe('molprobity STOP goal_reached');
  });

  it('continues with the workflow after the first program of a submitted order', () => {
    const guidance = firstGuidance(adviceOf('run molprobity, then run polder'), read, at);
    expect(guidance?.reading.directives.stop_conditions).toEqual({ start_with_program: 'phenix.molprobity' });
  });
});

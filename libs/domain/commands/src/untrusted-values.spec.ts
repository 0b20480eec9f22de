import type { StrategyValue } from '@fleet/contracts/schema';
import type { MtzObservation, SessionFile } from '@fleet/contracts/sessions';
import { aCatalogue, aRequest, aSession, dataFile, modelFile, projectRules } from '@fleet/testing';
import { describeSession } from '@fleet/workflow';
import { buildCommand } from './build-command';
import type { BuiltCommand } from './command-types';
import { problemWithCommand } from './problem-with-command';

// The creator of a file controls its content and name; automatic values are derived from both.

const ruleBook = projectRules();

const build = (
  program: string,
  inputs: readonly SessionFile[],
  strategy: Readonly<Record<string, StrategyValue>> = {},
): BuiltCommand => {
  const session = aSession({ request: aRequest({ inputs }) });
  const { files, facts } = describeSession({ session, ruleBook, catalogue: aCatalogue() });
  const knowledge = ruleBook.programs[`phenix.${program}`]!;
  const result = buildCommand({ program: knowledge, files, facts, strategy });
  if (!result.built) throw new Error(result.why);
  expect(problemWithCommand(result.command.argv, knowledge, files.all)).toBeUndefined();
  return result.command;
};

const observed = (labels: string): MtzObservation => ({ labels, kind: 'amplitude', anomalous: false });

describe('the labels of a file', () => {
  it('name one wavelength, because the name of its block is that of all', () => {
    const labels = 'x,_refln.F_meas_au,_refln.F_meas_sigma_au,wavelength_id=';
    const data = dataFile({ observations: [observed(`${labels}1`)], otherArrays: [`${labels}2`] });
    expect(build('model_vs_data', [data, modelFile()]).argv).toContain(`f_obs_label=${labels}1`);
  });

  it.each([
    'FP,SIGFP\noutput.prefix=/elsewhere/x',
    'FP;output.prefix=/x',
    'FP output.prefix=/x',
    'F{P},SIGFP',
    '/etc/passwd',
    '$HOME',
    'F'.repeat(400),
  ])('%j are in no command, and it is reported', (labels) => {
    const data = dataFile({ observations: [observed(labels), observed(labels)] });
    const { argv, rejected } = build('refine', [data, modelFile()]);
    expect(argv.join(' ')).not.toContain('labels');
    expect(rejected).toEqual([{ key: 'obs_labels', why: expect.stringContaining('must be column labels') as string }]);
  });

  it('that are safe are used', () => {
    const data = dataFile({ observations: [observed('F-obs_X(+),SIGF-obs_X(+)'), observed('IMEAN,SIGIMEAN')] });
    expect(build('refine', [data, modelFile()]).argv).toContain(
      'data_manager.miller_array.labels.name=F-obs_X(+),SIGF-obs_X(+)',
    );
  });
});

describe('a chooser', () => {
  it('cannot name an output either', () => {
    const { argv, rejected } = build('refine', [dataFile(), modelFile()], { 'output.prefix': 'mine' });
    expect(argv).toContain('output.prefix=refine_001');
    expect(rejected.map(({ key }) => key)).toEqual(['output.prefix']);
  });
});

describe('an output that is named after a file', () => {
  const merged = (path: string): string => {
    const protein = modelFile(path);
    const ligand = modelFile('/w/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] });
    return build('pdbtools', [protein, { ...ligand, cycle: 1, program: 'phenix.ligandfit' }]).argv.at(-1)!;
  };

  it.each([
    ['/data/my model.pdb', 'my_model'],
    ['/data/a\noutput.file_name=x.pdb', 'a_output.file_name_x'],
    ['/data/..;$(id).pdb', 'id_'],
    ['/data/-f.pdb', 'f'],
    ['/data/蛋白质.pdb', 'file'],
    [`/data/${'x'.repeat(250)}.pdb`, 'x'.repeat(100)],
  ])('%j', (path, stem) => {
    expect(merged(path)).toBe(`output.file_name=${stem}_with_ligand.pdb`);
  });
});

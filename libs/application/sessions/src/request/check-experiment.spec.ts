import type { SessionFile } from '@fleet/contracts/sessions';
import { dataFile, modelFile, someSettings } from '@fleet/testing';
import { ProblemList } from '@fleet/problems';
import { checkExperiment } from './check-experiment';

const column = (label: string, type: string) => ({ label, type });
const index = ['H', 'K', 'L'].map((label) => column(label, 'H'));

const refusal = (...files: readonly SessionFile[]): string => {
  const problems = new ProblemList();
  checkExperiment(files, someSettings(), true, problems);
  return problems.all.map(({ code, reason, allowed }) => `${code ?? ''}: ${reason} (${allowed ?? ''})`).join('\n');
};

it('lists the content of a file with only map coefficients, and names the required file', () => {
  const columns = [...index, column('FWT', 'F'), column('PHWT', 'P'), column('DELFWT', 'F'), column('PHDELWT', 'P')];
  const map = { observations: [], columns, mapCoefficients: ['FWT,PHWT', 'DELFWT,PHDELWT'] };
  expect(refusal(dataFile(map, '/data/maps.mtz'), modelFile())).toBe(
    'files.no_data: there are neither reflections nor a map that can be used among "maps.mtz", "model.pdb"; "maps.mtz" holds the columns FWT, PHWT, DELFWT, PHDELWT; ' +
      'FWT,PHWT and DELFWT,PHDELWT are map coefficients, not measured data: submit the data that the map was made from ' +
      '(measured reflections (amplitudes or intensities with their sigmas), or a map (CCP4))',
  );
});

it('lists the columns of a file without data or maps, up to a limit', () => {
  const columns = Array.from({ length: 32 }, (_, at) => column(`I${String(at)}`, 'I'));
  const text = refusal(dataFile({ observations: [], columns: [...index, column('FREE', 'I')] }));
  expect(text).toContain('"data.mtz" holds the columns FREE; none of them is measured data with its sigmas');
  expect(refusal(dataFile({ observations: [], columns }))).toContain('I29, and 2 more; none of them');
  const constant = {
    observations: [],
    columns: [...index, column('F', 'F'), column('SIGF', 'Q')],
    withoutValues: ['F'],
  };
  expect(refusal(dataFile(constant))).toContain(
    'none of them is measured data with its sigmas (no value, or the same one everywhere: F)',
  );
});

it('repeats the notes of the reader, which say what the files are', () => {
  const table: SessionFile = { ...modelFile('/data/x.hkl'), facts: { format: 'text', notes: ['Reflections of CNS.'] } };
  const alone = dataFile({ observations: [], columns: [] });
  expect(refusal(table, alone)).toContain('among "x.hkl", "data.mtz"; "x.hkl": reflections of CNS (');
});

it('asks for scaled data where all are integrated only', () => {
  const integrated = dataFile(
    { unmerged: true, unscaled: true, columns: [...index, column('I', 'J')] },
    '/data/int.mtz',
  );
  expect(refusal(integrated, modelFile())).toContain(
    '"int.mtz" holds integrated intensities that are not scaled: scale and merge them first (XDS: CORRECT or XSCALE;',
  );
  expect(refusal(integrated, dataFile())).toBe('');
});

it('adds nothing if the data exist', () => {
  expect(refusal(dataFile(), dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, '/data/maps.mtz'))).toBe('');
});

import type { MtzObservation, SessionFile } from '@fleet/contracts/sessions';
import { aFile, dataFile, modelFile } from '@fleet/testing';
import { inputFacts } from './input-facts';

const observed = (labels: string, kind: MtzObservation['kind'], anomalous: boolean): MtzObservation => ({
  labels,
  kind,
  anomalous,
});
const pairs = observed('I(+),I(-)', 'intensity', true);
const mean = observed('IMEAN,SIGIMEAN', 'intensity', false);
const amplitudes = observed('FP,SIGFP', 'amplitude', false);
const amplitudePairs = observed('F(+),F(-)', 'amplitude', true);

describe('the facts of a slot', () => {
  it('are empty for a slot without a file', () => {
    expect(inputFacts('data', [])).toEqual({});
  });

  it('are the number of files, and the name of the first', () => {
    expect(inputFacts('protein', [modelFile('/data/a b.pdb'), modelFile()])).toEqual({
      'input.protein.files': 2,
      'input.protein.stem': 'a_b',
    });
  });

  const labelsOf = (...observations: readonly MtzObservation[]): readonly unknown[] => {
    const facts = inputFacts('data', [dataFile({ observations })]);
    return ['arrays', 'labels', 'intensity_labels', 'anomalous_labels'].map((name) => facts[`input.data.${name}`]);
  };

  it('name the most suitable array: merged before anomalous, then of the requested kind', () => {
    expect(labelsOf(pairs, mean, amplitudePairs, amplitudes)).toEqual([4, 'FP,SIGFP', 'IMEAN,SIGIMEAN', 'I(+),I(-)']);
    expect(labelsOf(amplitudePairs, mean)).toEqual([2, 'IMEAN,SIGIMEAN', 'IMEAN,SIGIMEAN', 'F(+),F(-)']);
    expect(labelsOf(amplitudes, pairs)).toEqual([2, 'FP,SIGFP', 'FP,SIGFP', 'I(+),I(-)']);
    expect(labelsOf()).toEqual([0, undefined, undefined, undefined]);
  });
});

describe('free flags', () => {
  const flagsOf = (file: SessionFile): unknown => inputFacts('data', [file])['input.data.free_flags'];
  const { mtz, ...facts } = dataFile().facts;
  const { observations, mapCoefficients, phases, reflections, columns } = mtz!;
  const unflagged = {
    observations,
    mapCoefficients,
    phases,
    reflections,
    columns,
    highResolution: 1.8,
    lowResolution: 30,
  };

  it('exist if the file names them', () => {
    expect(flagsOf(dataFile())).toBe(true);
    expect(flagsOf(aFile({ facts: { ...facts, mtz: mtz!, assumed: true } }))).toBe(true);
  });

  it('do not exist if the file was inspected and contains none', () => {
    expect(flagsOf(aFile({ facts: { ...facts, mtz: unflagged } }))).toBe(false);
    expect(flagsOf(aFile({ facts: { ...facts, mtz: { ...unflagged, withoutFreeFlag: true }, assumed: true } }))).toBe(
      false,
    );
  });

  it('are unknown for an uninspected file', () => {
    expect(flagsOf(aFile({ facts: { ...facts, mtz: unflagged, assumed: true } }))).toBeUndefined();
  });
});

describe('whether data contain the locked free set', () => {
  const keeps = (file: SessionFile, locked?: SessionFile): unknown =>
    inputFacts('data', [file], locked)['input.data.keeps_free_set'];
  it('is undefined without a lock, and for files that are not data', () => {
    expect('input.data.keeps_free_set' in inputFacts('data', [dataFile()])).toBe(false);
    expect('input.data.keeps_free_set' in inputFacts('data', [modelFile()], dataFile())).toBe(false);
  });

  it('is decided by their content', () => {
    const own = dataFile({ freeSet: '1a 2b 3c' });
    expect(keeps(own, own)).toBe(true);
    expect(keeps(dataFile({ freeSet: '1a 2b 3c' }, '/w/same.mtz'), own)).toBe(true);
    expect(keeps(dataFile({ freeSet: '4d 5e 6f' }, '/w/other.mtz'), own)).toBe(false);
  });
});

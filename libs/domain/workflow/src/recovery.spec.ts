import { aCycle, aResult } from '@fleet/testing';
import type { ErrorKnowledge } from '@fleet/knowledge-model';
import { errorClassOf, knownErrorOf, recoveryOf } from './recovery';
import type { AnalysedCycle } from './workflow-input';

const errors: ErrorKnowledge = {
  failure_words: ['SORRY'],
  partial_words: [],
  terminal_words: ['Traceback'],
  endings: [],
  limits: { in_a_row: 2, of_refinement: 6, of_others: 4 },
  known: [
    { id: 'labels', class: 'labels', text: ['several arrays'], means: 'm', remedy: 'r' },
    { id: 'flags', class: 'retryable', text: ['no flags'], means: 'm', remedy: 'r' },
  ],
  recoverable: [
    { id: 'labels', retries: 2, action: { choose: 'data_labels' }, why: 'w' },
    { id: 'flags', retries: 1, action: { drop_keys: ['generate'] }, why: 'w' },
  ],
  labels: {
    anomalous: ['(+)', '_i_plus', 'anom'],
    anomalous_programs: ['phenix.autosol'],
    merged_programs: ['phenix.refine'],
    anomalous_words: ['sad'],
    key: { default: 'obs_labels' },
    phase_key: {},
  },
};

const failed = (cycle: number, errorLines: readonly string[]): AnalysedCycle =>
  aCycle({ cycle, result: aResult({ outcome: 'failed', summary: 'it failed', errorLines }) }) as AnalysedCycle;
const worked = (cycle: number): AnalysedCycle => aCycle({ cycle, result: aResult() }) as AnalysedCycle;
const labels = ['Sorry: Several  arrays', ' /d/x.mtz:I(+),SIGI(+),I(-),SIGI(-)', ' /d/x.mtz:IMEAN,SIGIMEAN'];

describe('knownErrorOf', () => {
  it('matches an error regardless of case and whitespace, and nothing in other text', () => {
    expect(knownErrorOf('phenix.refine', failed(1, labels).result, errors)?.id).toBe('labels');
    expect(knownErrorOf('phenix.refine', failed(1, ['error']).result, errors)).toBeUndefined();
  });
});

describe('recoveryOf', () => {
  it('returns nothing for success and for unknown errors', () => {
    expect(recoveryOf([worked(1)], errors, '')).toBeUndefined();
    expect(recoveryOf([failed(1, ['Sorry: what?'])], errors, '')).toBeUndefined();
  });

  it('keeps the correction after the program has succeeded, without another retry', () => {
    expect(recoveryOf([failed(1, labels), worked(2)], errors, '')).toMatchObject({
      set: { obs_labels: 'IMEAN' },
      retry: false,
    });
  });

  it('ends with the budget of the error', () => {
    const times = (count: number): readonly AnalysedCycle[] =>
      Array.from({ length: count }, (_one, index) => failed(index + 1, labels));
    expect(recoveryOf(times(2), errors, '')?.retry).toBe(true);
    expect(recoveryOf(times(3), errors, '')?.retry).toBe(false);
  });

  it('counts each error separately', () => {
    expect(recoveryOf([failed(1, labels), failed(2, ['no flags'])], errors, '')).toMatchObject({
      set: { obs_labels: 'IMEAN' },
      dropKeys: ['generate'],
      retry: true,
    });
  });

  it('does not match a word inside a longer word', () => {
    const ofXtriage = (advice: string): unknown => {
      const cycle = failed(1, labels);
      const decision = { ...cycle.decision, program: 'phenix.xtriage' };
      return recoveryOf([{ ...cycle, decision }], errors, advice)?.set['obs_labels'];
    };
    expect(ofXtriage('by SAD')).toBe('I(+)');
    expect(ofXtriage('a sadly weak crystal')).toBe('IMEAN');
  });

  it('identifies an array of a CIF file by its distinguishing label, not by the shared data block name', () => {
    // Log text of phenix.xtriage (cctbx 2025.11) for the structure factors of PDB 5EDL as the archive distributes them.
    const archive = [
      'Sorry: Several arrays',
      '/d/5edl-sf.cif:r5edlsf,_refln.intensity_meas,_refln.intensity_sigma',
      '/d/5edl-sf.cif:r5edlsf,_refln.pdbx_I_plus,_refln.pdbx_I_plus_sigma,_refln.pdbx_I_minus,_refln.pdbx_I_minus_sigma',
    ];
    const chosenBy = (program: string): unknown => {
      const cycle = failed(1, archive);
      const decision = { ...cycle.decision, program };
      return recoveryOf([{ ...cycle, decision }], errors, '')?.set['obs_labels'];
    };
    expect(chosenBy('phenix.refine')).toBe('_refln.intensity_meas');
    expect(chosenBy('phenix.autosol')).toBe('_refln.pdbx_I_plus');
  });

  it('does nothing if the log names no array', () => {
    expect(recoveryOf([failed(1, ['Sorry: several arrays'])], errors, '')).toBeUndefined();
  });
});

describe('errorClassOf', () => {
  const classOf = (...lines: readonly string[]): string =>
    errorClassOf('phenix.refine', failed(1, lines).result, errors);

  it('is that of a known error, otherwise derived from the text of a crashed program', () => {
    expect(classOf('no flags')).toBe('retryable');
    expect(classOf(...labels)).toBe('labels');
    expect(classOf('first line', 'TRACEBACK (most recent call last)')).toBe('terminal');
    expect(classOf('it went wrong')).toBe('retryable');
  });
});

describe('the correction after an error', () => {
  const correcting = (action: ErrorKnowledge['recoverable'][number]['action']): ErrorKnowledge => ({
    ...errors,
    recoverable: [{ id: 'flags', retries: 1, action, why: 'w' }],
  });
  const learnt = (action: ErrorKnowledge['recoverable'][number]['action'], ...lines: readonly string[]) =>
    recoveryOf([failed(3, ['no flags', ...lines])], correcting(action), '');

  it('is to set a key, or to omit a key, a slot or a parameter that the program named', () => {
    expect(learnt({ set: { cycles: 1 } })).toEqual({
      set: { cycles: 1 },
      dropKeys: [],
      dropSlots: [],
      dropParameters: [],
      why: ['flags in cycle 3: the next run sets cycles'],
      retry: true,
    });
    expect(learnt({ drop_keys: ['a', 'b'] })?.why).toEqual(['flags in cycle 3: the next run leaves out a, b']);
    expect(learnt({ drop_slots: ['sequence'] })).toMatchObject({ dropSlots: ['sequence'], dropKeys: [], set: {} });
    const named = { drop_named: ['unknown (?<parameter>[\\w.]+)', 'never (?<parameter>x)'] };
    expect(learnt(named, 'UNKNOWN scope.one', 'unknown scope.two', 'unknown scope.two')).toMatchObject({
      dropParameters: ['scope.one', 'scope.two'],
      why: ['flags in cycle 3: the next run leaves out scope.one, scope.two'],
    });
    expect(learnt(named)).toBeUndefined();
  });

  it('accumulates over several errors', () => {
    const both = {
      ...errors,
      recoverable: [
        { id: 'flags', retries: 2, action: { drop_named: ['unknown (?<parameter>\\w+)'] }, why: 'w' },
        { id: 'labels', retries: 1, action: { drop_slots: ['sequence'] }, why: 'w' },
      ],
    };
    const own = [failed(1, ['no flags', 'unknown a']), failed(2, labels), failed(3, ['no flags', 'unknown b'])];
    expect(recoveryOf(own, both, '')).toMatchObject({
      dropParameters: ['a', 'b'],
      dropSlots: ['sequence'],
      retry: true,
    });
    expect(recoveryOf(own, both, '')?.why).toHaveLength(3);
  });

  it('names phases by all their labels, under the key that the program has for them', () => {
    const choosing = {
      ...correcting({ choose: 'phase_labels' }),
      labels: { ...errors.labels, phase_key: { 'phenix.refine': 'phases' } },
    };
    const own = [failed(1, ['no flags', ' /d/x.mtz:HLanomA,HLanomB', ' /d/x.mtz:HLA,HLB'])];
    expect(recoveryOf(own, choosing, '')?.set).toEqual({ phases: 'HLA,HLB' });
    expect(recoveryOf(own, correcting({ choose: 'phase_labels' }), '')).toBeUndefined();
  });

  it('is the array of the kind that the program needs, otherwise the first', () => {
    const ofAutosol = (...lines: readonly string[]): unknown => {
      const cycle = failed(1, ['several arrays', ...lines]);
      const decision = { ...cycle.decision, program: 'phenix.autosol' };
      return recoveryOf([{ ...cycle, decision }], errors, '')?.set['obs_labels'];
    };
    expect(ofAutosol('/x.mtz:FP,SIGFP', '/x.mtz:FAnom,SIGFAnom')).toBe('FAnom');
    expect(ofAutosol('/x.mtz:FP,SIGFP', '/x.SCA:IMEAN')).toBe('FP');
    expect(ofAutosol('/x.txt:FP,SIGFP')).toBeUndefined();
  });

  it('is empty for a success that mentions the error', () => {
    const success = aCycle({ cycle: 2, result: aResult({ errorLines: ['no flags'] }) }) as AnalysedCycle;
    expect(recoveryOf([failed(1, ['Sorry: what?']), success], errors, '')).toBeUndefined();
  });
});

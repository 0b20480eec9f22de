import { aCycle, aResult } from '@fleet/testing';
import type { ErrorKnowledge } from '@fleet/knowledge-model';
import { knownErrorOf, recoveryOf } from './recovery';
import type { AnalysedCycle } from './workflow-input';

const errors: ErrorKnowledge = {
  failure_words: ['SORRY'],
  partial_words: [],
  terminal_words: ['Traceback'],
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
    anomalous: ['(+)', 'anom'],
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
  it('finds an error whatever its case and blanks, and nothing in other text', () => {
    expect(knownErrorOf('phenix.refine', failed(1, labels).result, errors)?.id).toBe('labels');
    expect(knownErrorOf('phenix.refine', failed(1, ['error']).result, errors)).toBeUndefined();
  });
});

describe('recoveryOf', () => {
  it('has nothing to say about success and about unknown errors', () => {
    expect(recoveryOf([worked(1)], errors, '')).toBeUndefined();
    expect(recoveryOf([failed(1, ['Sorry: what?'])], errors, '')).toBeUndefined();
  });

  it('keeps what it learnt after the program has worked, without another retry', () => {
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

  it('counts each error by itself', () => {
    expect(recoveryOf([failed(1, labels), failed(2, ['no flags'])], errors, '')).toMatchObject({
      set: { obs_labels: 'IMEAN' },
      dropKeys: ['generate'],
      retry: true,
    });
  });

  it('takes no word for another that holds it', () => {
    const ofXtriage = (advice: string): unknown => {
      const cycle = failed(1, labels);
      const decision = { ...cycle.decision, program: 'phenix.xtriage' };
      return recoveryOf([{ ...cycle, decision }], errors, advice)?.set['obs_labels'];
    };
    expect(ofXtriage('by SAD')).toBe('I(+)');
    expect(ofXtriage('a sadly weak crystal')).toBe('IMEAN');
  });

  it('does nothing where the log names no array', () => {
    expect(recoveryOf([failed(1, ['Sorry: several arrays'])], errors, '')).toBeUndefined();
  });
});

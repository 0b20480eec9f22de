import { walkBench, aCycle, aDecision, aResult } from '@fleet/testing';
import { logSummaryByRules } from './log-summary-by-rules';

const bench = walkBench({ installed: 'all', runs: {} });
const texts = (record: Parameters<typeof logSummaryByRules>[0]) =>
  Object.fromEntries(logSummaryByRules(record, bench.ruleBook).map(({ part, text }) => [part, text]));
const decision = aDecision({ program: 'phenix.refine' });

describe('the summary of a log by the rules', () => {
  it('contains the outcome of the run, and each number with its line', () => {
    const { outcome, numbers, findings } = texts(
      aCycle({ decision, result: aResult({ metrics: { r_free: 0.2455 }, summary: 'R-free 0.2455' }) }),
    );
    expect(outcome).toBe('phenix.refine ended: success. R-free 0.2455');
    expect(numbers).toMatch(/^R-free 0\.2455 \(line \d+\)\.$/);
    expect(findings).toBe('No error was read.');
  });

  it('contains the errors of a failed run, in one line without hidden characters', () => {
    const result = {
      ...aResult({ metrics: {} }),
      outcome: 'failed',
      errorLines: ['Sorry: no\u202e', 'bad \u0007 file'],
    } as const;
    const { outcome, numbers, findings } = texts(aCycle({ decision, result }));
    expect(outcome).toContain('failed');
    expect(numbers).toBe('No number was read.');
    expect(findings).toMatch(/^Sorry: no.* \/ bad .*file$/);
    expect(findings).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

import { aCycle, anAttempt, anEvent, aResult } from '@fleet/testing';
import { findingsOf } from './findings';

describe('the findings of a cycle', () => {
  it('come from its result, its attempts and its events: the worst first, each once', () => {
    const ending = {
      ...anAttempt().ending!,
      kind: 'lost',
      infrastructure: true,
      message: 'the node went away',
    } as const;
    const cycle = aCycle({
      cycle: 2,
      attempts: [anAttempt({ ending }), anAttempt({ attempt: 2 })],
      result: aResult({ outcome: 'failed', summary: 'no solution', errorLines: ['Sorry: no'], leftOut: ['a file'] }),
    });
    const events = [
      anEvent({ cycle: 2, type: 'warning', message: 'R-free rose' }),
      anEvent({ cycle: 2, type: 'error', message: 'Sorry: no' }),
      anEvent({ cycle: 1, type: 'error', message: 'of another cycle' }),
      anEvent({ cycle: 2, type: 'debug', message: 'not for people' }),
    ];
    expect(findingsOf(cycle, events)).toEqual([
      { severity: 'error', text: 'no solution' },
      { severity: 'error', text: 'Sorry: no' },
      { severity: 'warning', text: 'the node went away' },
      { severity: 'warning', text: 'R-free rose' },
      { severity: 'info', text: 'a file' },
    ]);
  });

  it('are empty for a successful cycle', () => {
    expect(findingsOf(aCycle(), [])).toEqual([]);
  });
});

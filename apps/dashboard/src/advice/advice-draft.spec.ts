import { aGuidance, aRequest } from '@fleet/testing';
import { adviceNow, draftOf, hasArrived, isOvertaken, momentOf, noAdvice } from './advice-draft';

const request = aRequest();
const session = (revision: number, text: string) => ({
  request,
  createdAt: '2026-11-23T10:00:00.000Z',
  cycles: [],
  guidance: { ...aGuidance(), revision, sources: [{ from: 'text' as const, text }] },
});

describe('a draft of advice', () => {
  it('begins with the current advice, at its revision', () => {
    expect(draftOf(session(3, 'refine twice'))).toEqual({ isOpen: true, revision: 3, advice: 'refine twice' });
    expect(adviceNow(session(1, ''))).toBe('');
  });

  it('is overtaken once the advice has another revision, while it is being written', () => {
    const draft = draftOf(session(3, 'refine twice'));
    expect(isOvertaken(draft, session(3, 'refine twice'))).toBe(false);
    expect(isOvertaken(draft, session(4, 'stop'))).toBe(true);
    expect(isOvertaken(noAdvice, session(4, 'stop'))).toBe(false);
  });

  it('has arrived if the advice equals it, even without a response', () => {
    const draft = { ...draftOf(session(3, 'refine twice')), advice: 'stop\n' };
    expect([hasArrived(draft, session(4, 'stop')), isOvertaken(draft, session(4, 'stop'))]).toEqual([true, false]);
    expect(hasArrived(draft, session(3, 'refine twice'))).toBe(false);
    expect(hasArrived(draft, session(4, 'refine once'))).toBe(false);
    expect(hasArrived(noAdvice, session(4, ''))).toBe(false);
  });

  it.each([
    ['running', 'running'],
    ['cancelling', 'cancelling'],
    ['completed', 'ended'],
    ['failed', 'ended'],
  ] as const)('of a session that is %s meets one that is %s', (status, moment) => {
    expect(momentOf({ status })).toBe(moment);
  });
});

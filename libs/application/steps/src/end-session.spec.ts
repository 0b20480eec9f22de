import { anEvent } from '@fleet/testing';
import { endSession } from './end-session';

const at = '2026-11-22T10:00:00.000Z';
const stop = { reason: 'converged', detail: 'R-free is below its target.', afterCycle: 3 } as const;

describe('the end of a session', () => {
  it('is reported last, with its status and its reason', () => {
    const before = [anEvent({ type: 'warning' })];
    const end = endSession({ cycle: 3 }, stop, at, before);
    expect(end.to).toEqual({ ended: stop });
    const last = { type: 'session_ended', cycle: 3, at, message: stop.detail };
    expect(end.events).toEqual([...before, { ...last, data: { status: 'completed', reason: 'converged' } }]);
  });

  it('is reported with a shorter text than its reason, if there is one', () => {
    const { events } = endSession({ cycle: 3 }, stop, at, [], 'Session cancelled.');
    expect(events).toMatchObject([{ message: 'Session cancelled.' }]);
  });
});

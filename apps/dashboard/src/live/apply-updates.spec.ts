import type { SessionRow } from '@fleet/contracts/sessions';
import { rowOf } from '@fleet/session-report';
import { aSession } from '@fleet/testing';
import { changesLists, withRows } from './apply-updates';

const row = (changes: Parameters<typeof aSession>[0]): SessionRow => rowOf(aSession(changes));
const moved = (...rows: readonly SessionRow[]): ReadonlyMap<string, SessionRow> =>
  new Map(rows.map((one) => [one.id, one]));

describe('a list that receives updates', () => {
  const first = row({ version: 3 });
  const second = row({ version: 5 });
  const page = { sessions: [first, second], nextCursor: 'more' };

  it('has the newest row of each session, and never an older one', () => {
    const newer = { ...first, version: 4, cycle: 2 };
    const older = { ...second, version: 4 };
    expect(withRows(page, moved(newer, older))).toEqual({ sessions: [newer, second], nextCursor: 'more' });
  });

  it('stays the same object if none of its sessions has moved', () => {
    expect(withRows(page, moved(row({})))).toBe(page);
  });

  it('is fetched again if a session is new or changes its status', () => {
    const update = { session: first, events: [] };
    expect([
      changesLists(update),
      changesLists({ ...update, was: 'running' }),
      changesLists({ ...update, was: 'failed' }),
    ]).toEqual([true, false, true]);
  });
});

import { rowOf, toWallRow } from '@fleet/session-report';
import type { WallRow } from '@fleet/contracts/sessions';
import { aSession } from '@fleet/testing';
import { shownPart, wallGroups } from './wall-groups';

const row = (title: string, changes: Partial<WallRow>): WallRow => ({
  ...toWallRow(rowOf(aSession({}))),
  title,
  ...changes,
});
const at = (minute: number): string => `2026-11-23T03:${String(minute).padStart(2, '0')}:00.000Z`;
const queueStatus = (minute: number) => ({ position: 1, of: 2, since: at(minute) });
const titles = (rows: readonly WallRow[]): readonly string[] => rows.map(({ title }) => title);

describe('the rows of a wall', () => {
  it('are the running, the waiting and the ended ones, each in order', () => {
    const waits = { status: 'running', stage: 'executing', waiting: true } as const;
    const { running, waiting, ended } = wallGroups([
      row('older', { status: 'running', createdAt: at(1) }),
      row('newer', { status: 'running', createdAt: at(2) }),
      row('being cancelled', { status: 'cancelling', createdAt: at(3), waiting: true }),
      row('submitted first', { ...waits, createdAt: at(1), queueStatus: queueStatus(9) }),
      row('waits longest', { ...waits, createdAt: at(4) }),
      row('ended first', { status: 'failed', endedAt: at(5) }),
      row('ended last', { status: 'completed', endedAt: at(6) }),
    ]);
    expect([titles(running), titles(waiting), titles(ended)]).toEqual([
      ['being cancelled', 'newer', 'older'],
      ['waits longest', 'submitted first'],
      ['ended last', 'ended first'],
    ]);
  });

  it('are shown part by part if they do not fit', () => {
    const part = (now: number) => shownPart(['a', 'b', 'c', 'd', 'e'], { fits: 2, everyMs: 10, now });
    expect([part(0), part(19), part(20), part(30)]).toEqual([
      { first: 1, rows: ['a', 'b'] },
      { first: 3, rows: ['c', 'd'] },
      { first: 5, rows: ['e'] },
      { first: 1, rows: ['a', 'b'] },
    ]);
    expect(shownPart([], { fits: 2, everyMs: 10, now: 15 })).toEqual({ first: 1, rows: [] });
  });
});

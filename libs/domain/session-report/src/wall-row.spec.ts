import type { SessionRow } from '@fleet/contracts/sessions';
import { aSession } from '@fleet/testing';
import { rowOf } from './session-row';
import { toWallUpdate, toWallRow } from './wall-row';

const labels = { title: 'Insulin', beamline: 'i04' } as const;
const fit = { metric: 'r_free', value: 0.231, quality: 'good', trend: 'better' } as const;
const queueStatus = { position: 1, of: 2, since: '2026-11-21T08:00:00.000Z' } as const;
const row: SessionRow = {
  ...rowOf(aSession()),
  ...labels,
  program: 'phenix.refine',
  maxCycles: 20,
  fit: { ...fit, resolution: 1.8, rWork: 0.2 },
  fits: [0.3, 0.231],
  waiting: 'proposal mx9 has started one program today, which is the limit',
  queueStatus: { ...queueStatus, oldestSince: queueStatus.since, reason: 'proposal mx9 has started one program today' },
};
const { id, version, status, stage, cycle, createdAt, updatedAt } = row;
const shown = {
  ...{ id, version, status, stage, cycle, createdAt, updatedAt },
  ...labels,
  ...{ program: 'phenix.refine', maxCycles: 20, fit, fits: [0.3, 0.231], waiting: true, queueStatus },
};

describe('a row of a wall', () => {
  it('contains what a wall shows, but no path, person, proposal or reason', () => {
    expect(toWallRow(row)).toEqual(shown);
    expect(toWallRow(rowOf(aSession()))).not.toHaveProperty('waiting');
  });

  it('excludes later additions to rows, at any level', () => {
    const later = { ...row, note: 'x', fit: { ...row.fit, note: 'x' }, queueStatus: { ...row.queueStatus, note: 'x' } };
    expect(toWallRow(later as SessionRow)).toEqual(shown);
  });

  it('is unchanged if it is reduced again', () => {
    expect(toWallRow(toWallRow(row))).toEqual(shown);
  });

  it('is the only content of an update', () => {
    const event = { id: '1-0', type: 'debug', cycle: 1, at: createdAt, message: '/data/a.mtz', data: {} } as const;
    expect(toWallUpdate({ session: row, events: [event], was: 'failed' })).toEqual({
      session: shown,
      events: [],
      was: 'failed',
    });
  });
});

import { attemptName } from '@fleet/contracts/runs';
import type { SessionCounts } from '@fleet/contracts/sessions';
import { aSharedRun, useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';

describe('GET /v1/counts', () => {
  const keyed = useStarted('test', () => KeyedGateway.withKeys());

  const counts = async (headers: Record<string, string>, query = ''): Promise<SessionCounts> =>
    (await keyed.get(`/v1/counts${query}`, headers)).json() as SessionCounts;
  const end = async (id: string, reason: 'converged' | 'program_failed'): Promise<void> => {
    const to = { ended: { reason, detail: 'done', afterCycle: 1 } };
    await keyed.store.records.advance({ sessionId: id, fromVersion: 1, to, events: [], dueInMs: 1000 });
  };
  const waits = async (id: string, proposal: string): Promise<void> => {
    const { records, slots } = keyed.store;
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    await records.advance({ sessionId: id, fromVersion: 1, to, events: [], dueInMs: 1000 });
    await slots.waiting(aSharedRun(attemptName(id, 1, 1), { proposal }), 'no_room');
  };

  it('counts running, waiting and ended sessions, by outcome', async () => {
    const admin = await keyed.key('root', 'admin');
    const [first, second, waiting] = [
      await keyed.session('mx1'),
      await keyed.session('mx1'),
      await keyed.session('mx2'),
    ];
    await end(first, 'converged');
    await end(second, 'program_failed');
    await waits(waiting, 'mx2');
    const counted = await counts(admin);
    expect(counted).toMatchObject({
      sessions: { running: 1, completed: 1, failed: 1, cancelled: 0 },
      outcomes: { solved: 1, failed_science: 1, unsatisfactory: 0 },
      waiting: 1,
    });
    expect(Math.abs(Date.parse(counted.oldestWaitingSince ?? '') - Date.now())).toBeLessThan(60_000);
    expect(await counts(admin, '?proposal=mx1')).toMatchObject({ sessions: { running: 0 }, waiting: 0 });
    expect(await counts(admin, '?proposal=mx1')).not.toHaveProperty('oldestWaitingSince');
  });

  it('shows every caller why launches are paused', async () => {
    const user = await keyed.key('ada', 'user', { proposals: ['mx1'] });
    expect(await counts(user)).not.toHaveProperty('launches');
    await keyed.store.launches.set({ mode: 'paused', reason: 'the disk is changed', by: 'root' });
    expect(await counts(user)).toMatchObject({ launches: { mode: 'paused', reason: 'the disk is changed' } });
  });

  it('counts only visible sessions, and a session of two visits or beamlines once', async () => {
    await keyed.session('mx1', 'i04');
    await keyed.session('mx2', 'i04');
    await keyed.session('mx1');
    const foreign = await keyed.session('mx2');
    await waits(foreign, 'mx2');
    await waits(await keyed.session('mx3', 'i04'), 'mx3');
    const user = await keyed.key('ada', 'user', { proposals: ['mx1'] });
    const staff = await keyed.key('sam', 'staff', { proposals: ['mx1'], beamlines: ['i04'] });
    expect(await counts(user)).toMatchObject({ sessions: { running: 2 }, waiting: 0 });
    expect(await counts(staff)).toMatchObject({ sessions: { running: 4 }, waiting: 1 });
    expect(await counts(staff, '?beamline=i04')).toMatchObject({ sessions: { running: 3 }, waiting: 1 });
    expect(await counts(user, '?proposal=mx2')).toMatchObject({ sessions: { running: 0 }, waiting: 0 });
  });

  it('refuses unknown parameters', async () => {
    const admin = await keyed.key('root', 'admin');
    const answer = await keyed.get('/v1/counts?status=running&colour=red', admin);
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { problems: [{ field: 'status' }, { field: 'colour' }] },
    ]);
  });
});

import { sql } from 'kysely';
import {
  sessionOutcomes,
  type AttemptRecord,
  type CycleRecord,
  type SessionOutcome,
  type StopReason,
} from '@fleet/contracts/sessions';
import type { StatisticsGroup } from '@fleet/contracts/statistics';
import { aCycle, aDecision, anAttempt, aNewSession, aRequest, aResult, ManualClock } from '@fleet/testing';
import type { Database } from '../database';
import { useDatabases } from '../fixtures/databases';
import { PostgresStore } from '../postgres-store';
import { readerRole } from './reader-role';

const databases = useDatabases();
const minute = 60_000;
const hour = 60 * minute;

const ended = {
  ...({ kind: 'exited', message: 'done', infrastructure: false } as const),
  endedAt: '2026-11-21T09:00:00.000Z',
} as const;

/** An attempt of this duration on this number of cores. */
const took = (minutes: number, cpus: number, kind: 'cpu' | 'gpu' = 'cpu', attempt = 1): AttemptRecord =>
  anAttempt({
    attempt,
    resources: { class: kind, cpus, memoryMiB: 1024 },
    ending: { ...ended, durationMs: minutes * minute },
  });

interface Given {
  readonly proposal: string;
  readonly beamline?: string;
  readonly submitter?: string;
  /** ISO 8601. */
  readonly at: string;
  /** Å. */
  readonly resolution?: number;
  readonly cycles?: readonly {
    readonly program: string;
    readonly attempts: readonly AttemptRecord[];
    readonly rFree?: number;
  }[];
  /** Absent: it runs. */
  readonly end?: { readonly reason: StopReason; readonly afterMs: number };
}

describe('statistics of sessions', () => {
  let db: Database;
  let clock: ManualClock;
  let store: PostgresStore;
  beforeEach(async () => {
    clock = new ManualClock();
    ({ db } = await databases.context(clock));
    store = new PostgresStore(db, clock);
  });

  const iso = (): string => new Date(clock.now()).toISOString();
  const setTo = (at: string): void => clock.forward(Date.parse(at) - clock.now());

  /** Each cycle is analysed an hour after the one before. */
  const session = async ({ proposal, beamline = '', submitter = 'ada', at, ...more }: Given): Promise<string> => {
    setTo(at);
    const made = aNewSession({ createdAt: at, request: aRequest({ proposal, beamline, submitter }) });
    await store.records.create(made, [], 1000);
    let version = 1;
    const advance = async (to: Parameters<typeof store.records.advance>[0]['to'], cycleRecord?: CycleRecord) => {
      const progress = { maxCycles: 20, ...(more.resolution !== undefined && { resolution: more.resolution }) };
      const move = { sessionId: made.id, fromVersion: version, to, events: [], dueInMs: 1000, progress };
      const result = await store.records.advance({ ...move, ...(cycleRecord !== undefined && { cycleRecord }) });
      expect(result).toMatchObject({ applied: true });
      version += 1;
    };
    for (const [index, { program, attempts, rFree }] of (more.cycles ?? []).entries()) {
      clock.forward(hour);
      const metrics = rFree === undefined ? {} : { r_free: rFree };
      const result = aResult({ metrics, analysedAt: iso() });
      const record = aCycle({ cycle: index + 1, decision: aDecision({ program }), attempts, result });
      await advance({ stage: 'deciding', cycle: index + 2, attempt: 1 }, record);
    }
    if (more.end !== undefined) {
      setTo(new Date(Date.parse(at) + more.end.afterMs).toISOString());
      await advance({ ended: { reason: more.end.reason, detail: 'done', afterCycle: version - 1 } });
    }
    return made.id;
  };

  const xtriage = { program: 'phenix.xtriage', attempts: [took(6, 1)] };
  const phaser = { program: 'phenix.phaser', attempts: [took(30, 2, 'cpu', 1), took(60, 2, 'cpu', 2)] };
  const refine = (rFree: number) => ({ program: 'phenix.refine', attempts: [took(60, 4)], rFree });
  const predict = { program: 'phenix.predict_and_build', attempts: [took(90, 4, 'gpu')] };

  const outcomes = (some: Partial<Record<SessionOutcome, number>>): StatisticsGroup['outcomes'] => ({
    ...(Object.fromEntries(sessionOutcomes.map((word) => [word, 0])) as StatisticsGroup['outcomes']),
    ...some,
  });

  /** Two in October (UTC), three in November, one of which runs. */
  const someSessions = async (): Promise<void> => {
    const solved = { reason: 'converged', afterMs: 5 * hour } as const;
    await session({
      ...{ proposal: 'mx1', beamline: 'i04', at: '2026-10-31T23:59:59.000Z', resolution: 1.8 },
      ...{ cycles: [xtriage, phaser, refine(0.24), refine(0.22)], end: solved },
    });
    await session({
      ...{ proposal: 'mx2', at: '2026-10-01T00:00:00.000Z', submitter: 'bob' },
      end: { reason: 'cancelled', afterMs: hour },
    });
    await session({
      ...{ proposal: 'mx1', beamline: 'i03', at: '2026-11-01T00:00:00.000Z', resolution: 2 },
      ...{ cycles: [predict, refine(0.2)], end: { reason: 'converged', afterMs: 3 * hour } },
    });
    await session({
      ...{ proposal: 'mx1', beamline: 'i04', at: '2026-11-02T00:00:00.000Z', resolution: 2.49 },
      ...{ cycles: [xtriage], end: { reason: 'max_cycles', afterMs: 2 * hour } },
    });
    await session({ proposal: 'mx2', beamline: 'i04', at: '2026-11-03T00:00:00.000Z', cycles: [xtriage] });
  };

  it('count outcomes, hours and times by month of submission', async () => {
    await someSessions();
    expect(await store.statistics.groups('month', {})).toEqual([
      {
        key: '2026-10',
        sessions: 2,
        unended: 0,
        outcomes: outcomes({ solved: 1, cancelled: 1 }),
        // 6 min on 1 core, 30 and 60 min on 2, twice 60 min on 4.
        coreHours: 0.1 + 1 + 2 + 4 + 4,
        gpuHours: 0,
        // Its third cycle.
        toFirstRFree: { p50: 3 * 3600, p95: 3 * 3600 },
        toEnd: { p50: 3600, p95: 5 * 3600 },
      },
      {
        key: '2026-11',
        sessions: 3,
        unended: 1,
        outcomes: outcomes({ solved: 1, failed_science: 1 }),
        // 90 and 60 min on 4 cores, 6 min on 1, without the running session.
        coreHours: 6 + 4 + 0.1,
        gpuHours: 1.5,
        toFirstRFree: { p50: 2 * 3600, p95: 2 * 3600 },
        toEnd: { p50: 2 * 3600, p95: 3 * 3600 },
      },
    ]);
  });

  it('sort names by number of sessions, and others in their order, unknown values last', async () => {
    await someSessions();
    const counted = async (by: Parameters<typeof store.statistics.groups>[0]): Promise<unknown> =>
      (await store.statistics.groups(by, {})).map(({ key, sessions, unended }) => [key, sessions, unended]);
    expect(await counted('beamline')).toEqual([
      ['i04', 3, 1],
      ['', 1, 0],
      ['i03', 1, 0],
    ]);
    expect(await counted('proposal')).toEqual([
      ['mx1', 3, 0],
      ['mx2', 2, 1],
    ]);
    expect(await counted('submitter')).toEqual([
      ['ada', 4, 1],
      ['bob', 1, 0],
    ]);
    expect(await counted('resolution')).toEqual([
      ['1.5', 1, 0],
      ['2.0', 2, 0],
      ['', 1, 0],
    ]);
    expect(await counted('path')).toEqual([
      ['prediction', 1, 0],
      ['molecular_replacement', 1, 0],
      ['none', 2, 0],
    ]);
  });

  it('apply time, group and access filters', async () => {
    await someSessions();
    const keysOf = async (filter: Parameters<typeof store.statistics.groups>[1]): Promise<readonly string[]> =>
      (await store.statistics.groups('proposal', filter)).map(({ key, sessions }) => `${key} ${String(sessions)}`);
    const november = Date.parse('2026-11-01T00:00:00.000Z');
    expect(await keysOf({ since: november })).toEqual(['mx1 2', 'mx2 1']);
    expect(await keysOf({ until: november })).toEqual(['mx1 1', 'mx2 1']);
    expect(await keysOf({ beamline: 'i04', submitter: 'ada' })).toEqual(['mx1 2', 'mx2 1']);
    expect(await keysOf({ within: [{ proposal: 'mx2' }, { beamline: 'i03' }] })).toEqual(['mx2 2', 'mx1 1']);
    expect(await keysOf({ within: [{ proposal: 'mx2' }], proposal: 'mx1' })).toEqual([]);
    expect(await keysOf({ within: [] })).toEqual([]);
  });

  it('count a reopened session as running, and again when it ends', async () => {
    const at = '2026-11-01T00:00:00.000Z';
    const end = { reason: 'max_cycles', afterMs: hour } as const;
    const id = await session({ proposal: 'mx1', at, cycles: [], end });
    const counted = async (): Promise<unknown> =>
      (await store.statistics.groups('month', {})).map(({ unended, outcomes: { failed_science: failed } }) => [
        unended,
        failed,
      ]);
    expect(await counted()).toEqual([[0, 1]]);
    const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
    await store.records.reopen({ sessionId: id, fromVersion: 2, to, events: [], dueInMs: 1 });
    expect(await counted()).toEqual([[1, 0]]);
    const again = { ended: { reason: 'max_cycles', detail: 'done', afterCycle: 1 } } as const;
    await store.records.advance({ sessionId: id, fromVersion: 3, to: again, events: [], dueInMs: 1 });
    expect(await counted()).toEqual([[0, 1]]);
  });

  it('count the hours of cycles copied by a fork only once', async () => {
    setTo('2026-11-05T00:00:00.000Z');
    const copied = aCycle({
      attempts: [took(60, 2, 'gpu')],
      result: aResult({ metrics: { r_free: 0.3 }, analysedAt: '2026-11-01T00:00:00.000Z' }),
    });
    const forkedFrom = { session: aNewSession().id, afterCycle: 1, requestDigest: 'a' };
    const stop = { reason: 'cancelled', detail: 'done', afterCycle: 1 } as const;
    const resume = { status: 'cancelled', stage: 'deciding', cycle: 1, attempt: 1, cycles: [copied], stop } as const;
    const made = { createdAt: iso(), request: aRequest({ forkedFrom }), resume };
    await store.records.create(aNewSession(made), [], 1);
    const [group] = await store.statistics.groups('month', {});
    expect(group).toMatchObject({ sessions: 1, coreHours: 0, gpuHours: 0, toEnd: { p50: 0, p95: 0 } });
    expect(group).not.toHaveProperty('toFirstRFree');
  });

  it('count a session whose record retention has deleted, until its data are deleted by request', async () => {
    const end = { reason: 'converged', afterMs: hour } as const;
    const sessions = [];
    for (const [proposal, submitter] of [
      ['mx1', 'ada'],
      ['mx1', 'bob'],
      ['mx2', 'ada'],
    ] as const)
      sessions.push(await session({ proposal, submitter, at: '2026-11-01T00:00:00.000Z', cycles: [], end }));
    const counted = async (): Promise<unknown> =>
      (await store.statistics.groups('proposal', {})).map(({ key, outcomes: { solved } }) => [key, solved]);
    const purge = { rule: 'solved: folder 1 day, record 1 day', record: true };
    for (const id of sessions) {
      expect(await store.retention.begin(id, purge, false)).toBe(true);
      await store.retention.remove(id);
      expect(await store.records.load(id)).toBeUndefined();
    }
    expect(await counted()).toEqual([
      ['mx1', 2],
      ['mx2', 1],
    ]);
    const { rows } =
      await sql`SELECT proposal FROM fleet_public.counted_sessions WHERE outcome = 'solved' ORDER BY 1`.execute(db);
    expect(rows).toEqual([{ proposal: 'mx1' }, { proposal: 'mx1' }, { proposal: 'mx2' }]);
    await store.retention.removeStatistics({ submitter: 'ada' });
    expect(await counted()).toEqual([['mx1', 1]]);
    await store.retention.removeStatistics({ proposal: 'mx1' });
    expect(await counted()).toEqual([]);
  });

  it('stop counting a session when its deletion by request has begun', async () => {
    const end = { reason: 'converged', afterMs: hour } as const;
    const one = { proposal: 'mx1', at: '2026-11-01T00:00:00.000Z', cycles: [], end };
    const [id, other] = [await session(one), await session(one)];
    await store.retention.begin(id, { rule: 'request of ada', record: true }, true);
    await store.retention.removeStatistics({ proposal: 'mx1' });
    const ofThem = await sql<{ session: string }>`SELECT session FROM ended_sessions`.execute(db);
    expect(ofThem.rows).toEqual([{ session: other }]);
  });

  describe('the views of fleet_public', () => {
    const asReader = async <T>(query: string): Promise<readonly T[]> => {
      const { name } = await readerRole(db);
      return db.transaction().execute(async (tx) => {
        await sql`SET LOCAL ROLE ${sql.id(name)}`.execute(tx);
        return (await sql.raw<T>(query).execute(tx)).rows;
      });
    };

    it('are readable by members of a role, which can read nothing else', async () => {
      await someSessions();
      expect(
        await asReader(
          `SELECT proposal, outcome, path, resolution, core_hours, gpu_hours,
            extract(epoch FROM first_r_free_at - created_at)::integer AS first
           FROM fleet_public.sessions WHERE created_at >= '2026-11-01' ORDER BY created_at`,
        ),
      ).toEqual([
        {
          ...{ proposal: 'mx1', outcome: 'solved', path: 'prediction', resolution: 2, core_hours: 10, gpu_hours: 1.5 },
          first: 7200,
        },
        {
          ...{
            proposal: 'mx1',
            outcome: 'failed_science',
            path: 'none',
            resolution: 2.49,
            core_hours: 0.1,
            gpu_hours: 0,
          },
          first: null,
        },
        {
          ...{ proposal: 'mx2', outcome: null, path: null, resolution: null, core_hours: null, gpu_hours: null },
          first: null,
        },
      ]);
      // Includes the running session: its cycle has ended.
      expect(
        await asReader(
          `SELECT program, count(*)::integer AS count, sum(core_hours) AS hours FROM fleet_public.cycles GROUP BY 1 ORDER BY 1`,
        ),
      ).toEqual([
        { program: 'phenix.phaser', count: 1, hours: 3 },
        { program: 'phenix.predict_and_build', count: 1, hours: 6 },
        { program: 'phenix.refine', count: 3, hours: 12 },
        { program: 'phenix.xtriage', count: 3, hours: expect.closeTo(0.3, 9) as number },
      ]);
      expect(await asReader('SELECT * FROM fleet_public.runs, fleet_public.batches')).toEqual([]);
      for (const query of [
        'SELECT request FROM sessions',
        'SELECT * FROM access_keys',
        'DELETE FROM fleet_public.batches',
      ])
        await expect(asReader(query)).rejects.toThrow(/permission denied/);
    });
  });
});

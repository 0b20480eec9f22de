import type { SessionOrder } from '@fleet/contracts';
import type { SessionFilter } from '@fleet/ports';
import { connectDatabase, migrate, PostgresStore } from '@fleet/store';
import { nearlyReducedCells } from '@fleet/symmetry';
import { aRequest, startPostgres } from '@fleet/testing';
import { sql } from 'kysely';
import { deliver, figure, quantile } from './figures';

/** The goal is for 1,000,000: FLEET_BENCH_SESSIONS=1000000. */
const SESSIONS = Number(process.env['FLEET_BENCH_SESSIONS'] ?? 200_000);
const ROUNDS = 20;
/** Rows of one statement. */
const CHUNK = 5_000;

/** Ended sessions over three years: 400 proposals, 12 beamlines, 300 ligands, and one failure in eight. */
const rows = (request: string, from: number) => sql`
  INSERT INTO sessions (id, version, wake_ups, status, stage, cycle, attempt, outcome, title, proposal, beamline, submitter, created_at,
    updated_at, ended_at, content, folder, request, progress, sample, ligands, space_group, reduced_cell, resolution, r_free, programs, failure,
    searched, experiment)
  SELECT id, 9, 0, CASE WHEN failed THEN 'failed' ELSE 'completed' END, 'analysing', 8, 1,
    CASE WHEN failed THEN 'failed_science' ELSE 'solved' END, title, 'mx' || n % 400, 'i' || n % 12, 'user' || n % 900,
    at, at, at + interval '3 hours', ARRAY[md5(n::text)], '/work/' || id, ${request}::json, '{}'::json, sample,
    ARRAY['L' || n % 300], (ARRAY['P 21 21 21', 'P 43 21 2', 'C 1 2 1', 'P 1 21 1', 'I 2 2 2'])[1 + n % 5],
    ARRAY[30 + n % 7919 / 200.0, 45 + n % 6271 / 100.0, 70 + n % 5501 / 60.0, 90, 90, 90], 1 + n % 3001 / 1000.0, 0.15 + n % 3499 / 10000.0,
    ARRAY['phenix.xtriage', 'phenix.refine', 'phenix.p' || n % 40],
    CASE WHEN failed THEN 'program ' || n % 40 || ' stopped: no solution ' || md5(n::text) END,
    lower(title || E'\n' || sample || E'\n' || id), 'xray'
  FROM (SELECT n, n % 8 = 0 AS failed, '0' || lpad(n::text, 25, '0') AS id, 'Protein ' || md5((n % 5000)::text) AS title,
    'sample-' || md5((-n)::text) AS sample, timestamptz '2023-11-01' + n * interval '1 minute' * (1500000.0 / ${sql.lit(SESSIONS)}) AS at
    FROM generate_series(${sql.lit(from + 1)}, ${sql.lit(from + CHUNK)}) AS n) AS made`;

const within = { edges: 0.01, angles: 1 };
const searches: readonly (readonly [name: string, filter: (n: number) => SessionFilter, order?: SessionOrder])[] = [
  ['text of a sample', (n) => ({ text: `SAMPLE-${String(n)}` })],
  ['text that none has', (n) => ({ text: `nothing${String(n)}` })],
  ['failure that many have', () => ({ failure: 'no solution' })],
  ['failure of one program', (n) => ({ failure: `program ${String((n % 5) * 8)} stopped` })],
  ['ligand', (n) => ({ ligand: `L${String(n)}` })],
  ['ligand by R-free', (n) => ({ ligand: `L${String(n)}` }), 'rFree'],
  ['ligand, R-free and time', (n) => ({ ligand: `L${String(n)}`, rFree: { max: 0.25 }, since: Date.UTC(2026, 3) })],
  ['space group and resolution', () => ({ spaceGroup: 'C 1 2 1', resolution: { max: 1.1 } }), 'resolution'],
  ['cell', (n) => ({ cells: { anyOf: nearlyReducedCells([40 + n, 60, 90, 90, 90, 90], within), within } })],
  ['program', (n) => ({ program: `phenix.p${String(n)}` }), '-rFree'],
  ['proposal by title', (n) => ({ proposal: `mx${String(n)}` }), 'title'],
  ['reach of three proposals', (n) => ({ within: [n, n + 7, n + 9].map((one) => ({ proposal: `mx${String(one)}` })) })],
  ['reach with a beamline', (n) => ({ within: [{ proposal: `mx${String(n)}` }, { beamline: 'i3' }] })],
  ['reach and text', (n) => ({ within: [{ proposal: `mx${String(n)}` }, { beamline: 'i3' }], text: 'sample-a' })],
];

describe('the search for sessions', () => {
  it('answers each filter and order in time', async () => {
    const server = await startPostgres();
    const db = connectDatabase(await server.newDatabase());
    await migrate(db);
    for (let from = 0; from < SESSIONS; from += CHUNK) await rows(JSON.stringify(aRequest()), from).execute(db);
    await sql`VACUUM ANALYZE sessions`.execute(db);
    const { index } = new PostgresStore(db);
    const p95 = async (filter: (n: number) => SessionFilter, order?: SessionOrder): Promise<number> => {
      const taken: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const from = performance.now();
        const page = await index.list(filter(round), 50, undefined, order);
        if (page.nextCursor !== undefined) await index.list(filter(round), 50, page.nextCursor, order);
        taken.push((performance.now() - from) / (page.nextCursor === undefined ? 1 : 2));
      }
      return quantile(taken, 0.95);
    };
    const of = `of ${String(SESSIONS)} sessions, p95 in ms`;
    const figures = [figure(`list ${of}`, await p95(() => ({})), '<=', 15)];
    for (const order of ['title', '-rFree', 'resolution', '-beamline', 'ended'] as const)
      figures.push(figure(`list by ${order} ${of}`, await p95(() => ({}), order), '<=', 15));
    for (const [name, filter, order] of searches)
      figures.push(figure(`search: ${name} ${of}`, await p95(filter, order), '<=', 50));
    await db.destroy();
    await server.stop();
    deliver(figures);
  });
});

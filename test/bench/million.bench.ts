import { aCycle, aNewSession, anEvent, aRequest, startPostgres, type PostgresServer } from '@fleet/testing';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Client } from 'pg';
import { GatewayHarness } from '../api/gateway-harness';
import { openStore, type OpenStore } from '../support/servers';
import { deliver, figure, quantile, type Figure } from './figures';

/** Sessions that have ended; their cycles and moves come with them. */
const ENDED = Number(process.env['FLEET_BENCH_ROWS'] ?? '1000000');
const RUNNING = ENDED / 100;
const CYCLES = 3;
/** Calls of each kind that are timed, and some before that are not. */
const CALLS = 100;
const WARM_UP = 20;

/** Of a list or search: the value of a call, so that no two calls ask the same. */
type QueryOfCall = (call: number) => string;

const lists: Readonly<Record<string, QueryOfCall>> = {
  newest: () => '',
  oldest: () => 'sort=created',
  title: () => 'sort=title',
  'R-free': () => 'sort=rFree',
  resolution: () => 'sort=resolution',
  beamline: () => 'sort=-beamline',
  end: () => 'sort=ended',
};

const searches: Readonly<Record<string, QueryOfCall>> = {
  running: () => 'status=running',
  'cancelled, which are rare': () => 'status=cancelled',
  proposal: (call) => `proposal=mx${String(call)}`,
  'proposal by title': (call) => `proposal=mx${String(call)}&sort=title`,
  beamline: (call) => `beamline=i${String(call % 12)}`,
  'beamline and status': (call) => `beamline=i${String(call % 12)}&status=running`,
  submitter: (call) => `submitter=user${String(call)}`,
  batch: (call) => `batch=campaign-${String(call)}`,
  'since a date': () => 'since=2026-01-01T00:00:00Z',
  'text of a sample': (call) => `text=SAMPLE-${md5(call).slice(0, 4)}`,
  'text that none has': (call) => `text=nothing${String(call)}`,
  'failure that many have': () => 'failure=no%20solution',
  'failure of one program': (call) => `failure=program%20${String(call % 40)}%20stopped`,
  ligand: (call) => `ligand=L${String(call)}`,
  'ligand by R-free': (call) => `ligand=L${String(call)}&sort=rFree`,
  'ligand, R-free and time': (call) => `ligand=L${String(call)}&maxRFree=0.25&since=2026-04-01T00:00:00Z`,
  'space group and resolution': () => 'spaceGroup=C%201%202%201&maxResolution=1.1&sort=resolution',
  cell: (call) => `cell=${String(40 + (call % 30))},60,90,90,90,90`,
  program: (call) => `program=phenix.p${String(call % 40)}&sort=-rFree`,
};

const md5 = (number: number): string => createHash('md5').update(String(number)).digest('hex');

/** One of `count` numbers, by chance, of a session whose number is n. */
const pick = (of: string, count: number): string => `(abs(hashtext('${of}' || n)::bigint) % ${String(count)})`;
const failed = `${pick('failed', 8)} = 0`;
const title = `'Protein ' || md5(${pick('title', 50_000)}::text)`;
const sample = `'sample-' || md5((-n)::text)`;
const id = `lpad(n::text, 26, '0')`;

/** Columns that differ from session to session; all others are those of the session that is copied. Three years, 400 proposals, 300 ligands. */
const varied = {
  id,
  title,
  sample,
  proposal: `'mx' || ${pick('proposal', 400)}`,
  beamline: `'i' || ${pick('beamline', 12)}`,
  submitter: `'user' || ${pick('submitter', 900)}`,
  batch: `'campaign-' || ${pick('batch', 5_000)}`,
  created_at: `timestamptz '2023-11-01' + n * interval '1 second' * ${String(94_608_000 / ENDED)}`,
  content: `ARRAY[md5(n::text), md5('x' || n)]`,
  ligands: `ARRAY['L' || ${pick('ligand', 300)}]`,
  space_group: `(ARRAY['P 21 21 21', 'P 43 21 2', 'C 1 2 1', 'P 1 21 1', 'I 2 2 2'])[1 + ${pick('group', 5)}]`,
  reduced_cell: `ARRAY[30 + ${pick('a', 4_000)} / 100.0, 45 + ${pick('b', 6_000)} / 100.0, 70 + ${pick('c', 9_000)} / 100.0, 90, 90, 90]`,
  resolution: `1 + ${pick('resolution', 3_000)} / 1000.0`,
  r_free: `0.15 + ${pick('r_free', 3_500)} / 10000.0`,
  programs: `ARRAY['phenix.xtriage', 'phenix.refine', 'phenix.p' || ${pick('program', 40)}]`,
  searched: `lower(${title} || E'\n' || ${sample} || E'\n' || ${id})`,
};
/** Of those that have ended. */
const variedEnd = {
  ended_at: `${varied.created_at} + interval '3 hours'`,
  status: `CASE WHEN ${pick('cancelled', 100)} = 0 THEN 'cancelled' WHEN ${failed} THEN 'failed' ELSE 'completed' END`,
  outcome: `CASE WHEN ${pick('cancelled', 100)} = 0 THEN 'cancelled' WHEN ${failed} THEN 'failed_science' ELSE 'solved' END`,
  failure: `CASE WHEN ${failed} THEN 'program ' || ${pick('program', 40)} || ' stopped: no solution ' || md5(n::text) END`,
};

let server: PostgresServer;
let databaseUrl: string;
let opened: OpenStore;
let client: Client;
let harness: GatewayHarness;

/** Copies one session, with its cycles and moves, from the `first` number to the `last`. */
const copy = async (id: string, first: number, last: number, more: Readonly<Record<string, string>>): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'sessions' AND is_generated = 'NEVER'`,
  );
  const columns = rows.map(({ name }) => name);
  const values: Readonly<Record<string, string>> = { ...varied, ...more };
  const numbers = `generate_series(${String(first)}, ${String(last)}) AS n`;
  const from = `FROM ${numbers}, `;
  await client.query(
    `INSERT INTO sessions (${columns.join(', ')}) SELECT ${columns.map((name) => values[name] ?? `made.${name}`).join(', ')} ${from} sessions AS made WHERE made.id = $1`,
    [id],
  );
  await client.query(
    `INSERT INTO cycles (session, cycle, record) SELECT ${varied.id}, made.cycle, made.record ${from} cycles AS made WHERE made.session = $1`,
    [id],
  );
  await client.query(
    `INSERT INTO moves (session, was, line, events, told) SELECT ${varied.id}, made.was, made.line, made.events, made.told ${from} moves AS made WHERE made.session = $1`,
    [id],
  );
  await client.query(
    `INSERT INTO owed (session, version, due_at) SELECT ${varied.id}, made.version, now() + interval '1 day' ${from} owed AS made WHERE made.session = $1`,
    [id],
  );
};

/** A session that was moved on as the steps do it, so that its bytes are those of a real one. */
const moved = async (ends: boolean): Promise<string> => {
  const made = aNewSession({ request: aRequest() });
  const { records } = opened.store;
  await records.create(made, [anEvent()], 60_000);
  let version = 1;
  for (let cycle = 1; cycle <= CYCLES; cycle += 1)
    for (const stage of ['executing', 'analysing', 'deciding'] as const) {
      const isLast = stage === 'deciding' && cycle === CYCLES && ends;
      const stop = {
        reason: 'converged',
        detail: 'as people are told, in a sentence or two',
        afterCycle: cycle,
      } as const;
      const to = isLast ? { ended: stop } : { stage, cycle, attempt: 1 };
      const move = { sessionId: made.id, fromVersion: version, to, events: [anEvent(), anEvent()], dueInMs: 60_000 };
      await records.advance({ ...move, cycleRecord: aCycle({ cycle }) });
      version += 1;
    }
  return made.id;
};

beforeAll(async () => {
  server = await startPostgres(['shared_buffers=512MB', 'max_wal_size=8GB'], tmpdir());
  databaseUrl = await server.newDatabase();
  opened = await openStore(databaseUrl);
  client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // Rows that are copies of each other need no check of their references.
  await client.query('SET session_replication_role = replica');
  await client.query('SET synchronous_commit = off');
  const [ended, running] = [await moved(true), await moved(false)];
  const slice = 100_000;
  for (let first = 1; first <= ENDED; first += slice)
    await copy(ended, first, Math.min(ENDED, first + slice - 1), variedEnd);
  await client.query(
    `INSERT INTO ended_sessions (session, created_at, proposal, beamline, submitter, outcome, resolution, path, to_first_r_free, to_end, core_seconds)
    SELECT id, created_at, proposal, beamline, submitter, outcome, resolution, 'molecular_replacement', 900, 3600, 7200 FROM sessions
    WHERE ended_at IS NOT NULL ON CONFLICT DO NOTHING`,
  );
  await copy(running, ENDED + 1, ENDED + RUNNING, {});
  await client.query('VACUUM ANALYZE');
  harness = await GatewayHarness.start({ store: opened.store });
});

afterAll(async () => {
  await harness.stop();
  await client.end();
  await opened.close();
  await server.stop();
});

/** 95 of 100 calls, in milliseconds: of those that read what no call before them has read, and of the same once more. */
const p95 = async (path: QueryOfCall): Promise<{ readonly first: number; readonly again: number }> => {
  const first: number[] = [];
  const again: number[] = [];
  for (let call = 0; call < WARM_UP + CALLS; call += 1)
    for (const times of [first, again]) {
      const start = performance.now();
      const { status } = await harness.get(path(call));
      const ms = performance.now() - start;
      if (status !== 200) throw new Error(`${path(call)}: ${String(status)}`);
      if (call >= WARM_UP) times.push(ms);
    }
  return { first: quantile(first, 0.95), again: quantile(again, 0.95) };
};

/** Some session, another one each time. */
const someId = (call: number): string => String((call * 7_919) % ENDED || 1).padStart(26, '0');

const month = (call: number): string => String(1 + (call % 6)).padStart(2, '0');

describe('a facility with years of sessions', () => {
  it('measures', async () => {
    const figures: Figure[] = [];
    const among = `among ${String(ENDED)} ended and ${String(RUNNING)} running sessions, p95 (ms)`;
    const measure = async (what: string, path: QueryOfCall, goal: number): Promise<void> => {
      const { first, again } = await p95(path);
      figures.push(figure(`${what} ${among}`, again, '<=', goal));
      // The same path each time has no first time.
      if (path(0) !== path(1)) figures.push(figure('… when its pages may be on the disk only', first, '<=', goal));
    };
    for (const [order, query] of Object.entries(lists))
      await measure(`list by ${order}`, (call) => `/v1/sessions?limit=50&${query(call)}`, 15);
    for (const [name, query] of Object.entries(searches))
      await measure(`search: ${name}`, (call) => `/v1/sessions?limit=50&${query(call)}`, 50);
    await measure('status', (call) => `/v1/sessions/${someId(call)}/status`, 5);
    await measure(
      'statistics of a year',
      (call) => `/v1/statistics?by=month&since=2025-${month(call)}-01T00:00:00Z`,
      1000,
    );
    const { rows } = await client.query<{ table: string; bytes: string }>(
      `SELECT relname AS table, pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables WHERE relname IN ('sessions', 'cycles', 'moves', 'owed')`,
    );
    for (const { table, bytes } of rows)
      figures.push(
        figure(`bytes of ${table} per session, indexes too`, Number(bytes) / (ENDED + RUNNING), '<=', 10_000),
      );
    deliver(figures);
  });
});

import type { SessionRequest, StopReason } from '@fleet/contracts/sessions';
import type { NewSession } from '@fleet/ports';
import { aNewSession, aRequest, startPostgres, type PostgresServer } from '@fleet/testing';
import { Client } from 'pg';
import { GatewayHarness } from '../api/gateway-harness';
import { openStore, type OpenStore } from '../support/servers';
import { deliver, figure, quantile, type Figure } from './figures';
import { eventFigures, pollerFigures } from './gateway-clients';

const FEW = 1_000;
const MANY = Number(process.env['FLEET_BENCH_ROWS'] ?? '100000');
/** Sessions that are made at the same time. */
const TOGETHER = 100;
/** Calls of each kind that are timed, and some before that are not. */
const CALLS = 200;
const WARM_UP = 20;

/** One list for each filter, all of 50 rows; some match every hundredth session, some nearly all. */
const lists = {
  'no filter': '',
  status: 'status=completed',
  'a rare status': 'status=cancelled',
  outcome: 'outcome=solved',
  'a rare outcome': 'outcome=failed_infrastructure',
  proposal: 'proposal=mx7',
  beamline: 'beamline=i04',
  batch: 'batch=campaign-3',
  submitter: 'submitter=user-5',
  text: 'text=crystal',
  'a rare text': 'text=probe',
  since: 'since=2026-01-01T00:00:00Z',
  until: 'until=2026-01-01T00:20:00Z',
  'oldest first': 'sort=oldest',
  'by title': 'sort=title',
  'batch and outcome': 'batch=campaign-3&outcome=solved',
} as const;

interface Gateway {
  readonly harness: GatewayHarness;
  readonly opened: OpenStore;
}

let server: PostgresServer;
let few: Gateway;
let many: Gateway;

/** Every list finds at least 50 among a thousand; those of one batch are a hundredth of all. */
const requestOf = (number: number): Partial<SessionRequest> => ({
  title: number % 10 === 0 ? `probe ${String(number)}` : `crystal ${String(number)}`,
  proposal: `mx${String(number % 10)}`,
  beamline: number % 3 === 0 ? 'i03' : 'i04',
  submitter: `user-${String(number % 10)}`,
  batch: `campaign-${String(number % 8)}`,
});

const reasonOf = (number: number): StopReason => {
  if (number % 16 === 1) return 'infrastructure';
  return number % 16 === 2 ? 'cancelled' : 'converged';
};
const statusOf = { infrastructure: 'failed', cancelled: 'cancelled', converged: 'completed' } as const;

const newSession = (number: number): NewSession => {
  const reason = reasonOf(number) as keyof typeof statusOf;
  const position = { status: statusOf[reason], stage: 'analysing', cycle: 1, attempt: 1, cycles: [] } as const;
  return aNewSession({
    createdAt: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    request: aRequest(requestOf(number)),
    resume: { ...position, stop: { reason, detail: 'as it is said to people, in a sentence or two', afterCycle: 1 } },
  });
};

/** What autovacuum does minutes after so many rows have come. */
const settle = async (databaseUrl: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
};

const gatewayOf = async (count: number): Promise<Gateway> => {
  const databaseUrl = await server.newDatabase();
  const opened = await openStore(databaseUrl);
  const { store } = opened;
  for (let from = 0; from < count; from += TOGETHER)
    await Promise.all(
      Array.from({ length: Math.min(TOGETHER, count - from) }, (_, index) =>
        store.records.create(newSession(from + index), [], 60_000),
      ),
    );
  await settle(databaseUrl);
  return { opened, harness: await GatewayHarness.start({ store }) };
};

beforeAll(async () => {
  server = await startPostgres();
  few = await gatewayOf(FEW);
  many = await gatewayOf(MANY);
});

afterAll(async () => {
  for (const { harness, opened } of [few, many]) {
    await harness.stop();
    await opened.close();
  }
  await server.stop();
});

const timed = async ({ harness }: Gateway, query: string): Promise<number> => {
  const start = performance.now();
  const answer = await harness.get(`/v1/sessions?limit=50&${query}`);
  const ms = performance.now() - start;
  const found = (answer.json() as { sessions?: readonly unknown[] }).sessions?.length;
  if (found !== 50) throw new Error(`${query}: ${String(found)} rows`);
  return ms;
};

/** By turns: other work on the machine meets both. */
const figuresOf = async (name: string, query: string): Promise<readonly Figure[]> => {
  const ofFew: number[] = [];
  const ofMany: number[] = [];
  for (let call = -WARM_UP; call < CALLS; call += 1) {
    const [one, other] = [await timed(few, query), await timed(many, query)];
    if (call < 0) continue;
    ofFew.push(one);
    ofMany.push(other);
  }
  const [slow, slowOfFew] = [quantile(ofMany, 0.95), quantile(ofFew, 0.95)];
  const among = `list of 50 among ${String(MANY)} by HTTP, ${name}`;
  return [
    figure(`${among}, p95 (ms)`, slow, '<=', 10),
    figure(`${among}, p95 against 1000`, slow / slowOfFew, '<=', 1.5),
  ];
};

const listFigures = async (): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const [name, query] of Object.entries(lists)) figures.push(...(await figuresOf(name, query)));
  return figures;
};

describe('the gateway with many sessions and many clients', () => {
  it('measures', async () => {
    const lists = await listFigures();
    const heard = await eventFigures(await server.newDatabase());
    deliver([...lists, ...heard, ...(await pollerFigures(await server.newDatabase()))]);
  });
});

import { releaseVersion } from '@fleet/contracts/service';
import type { Session, StoredEvent } from '@fleet/contracts/sessions';
import { isCliError } from '../cli-error';
import { isLostConnection } from '../client/gateway-client';
import type { CommandContext } from '../command-context';
import type { Bundle, BundlePart } from './bundle-file';
import { logTail } from './log-tail';
import { redacted } from './redacted';
import { serviceLogs } from './service-logs';

type Client = CommandContext['client'];
type Collect = () => Promise<unknown>;

const eventsAtOnce = 1000;
const mostEvents = 50_000;
/** Bytes taken from the end of a program's log. */
const mostLogBytes = 256 * 1024;
/** Number of last cycles whose logs are included. */
const cyclesWithLogs = 5;

const partsOfFleet = (client: Client): Readonly<Record<string, Collect>> => ({
  health: () => client.json('GET /health/ready'),
  status: () => client.json('GET /v1/admin/status'),
  doctor: () => client.json('GET /v1/admin/doctor'),
  trial: () => client.json('GET /v1/admin/doctor/trial'),
  steps: () => client.json('GET /v1/admin/steps'),
  orphans: () => client.json('GET /v1/admin/orphans'),
  shares: () => client.json('GET /v1/admin/shares'),
  programs: () => client.json('GET /v1/programs'),
  settings: () => client.json('GET /v1/settings'),
  counts: () => client.json('GET /v1/counts'),
});

const eventsOf = async (client: Client, id: string): Promise<readonly StoredEvent[]> => {
  const all: StoredEvent[] = [];
  for (;;) {
    const after = all.at(-1)?.id;
    const query = { limit: eventsAtOnce, ...(after !== undefined && { after }) };
    const headers = { accept: 'application/json' };
    const { events } = await client.json('GET /v1/sessions/{id}/events', { path: { id }, query }, { headers });
    all.push(...events);
    if (events.length < eventsAtOnce || all.length >= mostEvents) return all;
  }
};

const logOf = async (client: Client, id: string, cycle: number, attempt: number): Promise<string> => {
  const open = (offset: number, limit: number): Promise<Response> =>
    client.open('GET /v1/sessions/{id}/cycles/{cycle}/log', {
      path: { id, cycle: String(cycle) },
      query: { attempt, offset, limit },
    });
  const first = await open(0, 1);
  await first.body?.cancel();
  const size = Number(first.headers.get('x-log-size'));
  const from = Math.max(0, size - mostLogBytes);
  const tail = await open(from, mostLogBytes);
  return logTail(await client.arrived(tail.text()), from > 0);
};

const partsOfSession = (client: Client, session: Session): Readonly<Record<string, Collect>> => {
  const { id } = session;
  const ran = session.cycles.flatMap(({ cycle, attempts }) =>
    attempts.slice(-1).map(({ attempt }) => ({ cycle, attempt })),
  );
  return {
    events: () => eventsOf(client, id),
    results: () => client.json('GET /v1/sessions/{id}/results', { path: { id } }),
    trace: () => client.json('GET /v1/sessions/{id}/trace', { path: { id } }),
    queueStatus: () => client.json('GET /v1/sessions/{id}/queue-status', { path: { id } }),
    audit: () => client.json('GET /v1/admin/audit', { query: { object: `session ${id}` } }),
    ...Object.fromEntries(
      ran
        .slice(-cyclesWithLogs)
        .map(({ cycle, attempt }): [string, Collect] => [
          `log-c${String(cycle).padStart(3, '0')}-a${String(attempt)}`,
          () => logOf(client, id, cycle, attempt),
        ]),
    ),
  };
};

/** A missing part is replaced by the reason: a bundle is needed most when something does not respond. */
const collectedPart = async (ask: Collect): Promise<BundlePart> => {
  try {
    return { value: redacted(await ask()) };
  } catch (error) {
    if (!isCliError(error)) throw error;
    return { missing: redacted(error.message) as string };
  }
};

const collectedParts = async (parts: Readonly<Record<string, Collect>>): Promise<Bundle['parts']> => {
  const found: [string, BundlePart][] = [];
  for (const [name, ask] of Object.entries(parts)) found.push([name, await collectedPart(ask)]);
  return Object.fromEntries(found);
};

/** Optional parts of a bundle. */
export interface BundleContent {
  /** Of a session; absent: only the fleet. */
  readonly id: string | undefined;
  /** Files and folders of services' logs. */
  readonly logs: readonly string[];
}

/**
 * Collects diagnostics of a fleet, or of one of its sessions, for a support engineer elsewhere.
 * @throws CliError if the gateway is unreachable, or there is no such session or log
 */
export const gatherBundle = async (
  { client }: CommandContext,
  { id, logs }: BundleContent,
  now: Date,
): Promise<Bundle> => {
  const ofServices = await serviceLogs(logs);
  await client.json('GET /v1/ping').catch((error: unknown) => {
    if (isLostConnection(error)) throw error;
  });
  const session = id === undefined ? undefined : await client.session(id);
  const parts = {
    ...(session !== undefined && { session: { value: redacted(session) } }),
    ...(session !== undefined && (await collectedParts(partsOfSession(client, session)))),
    ...(await collectedParts(partsOfFleet(client))),
    ...(await collectedParts(ofServices)),
  };
  return {
    bundle: 'phenix-fleet',
    layout: 1,
    release: releaseVersion,
    at: now.toISOString(),
    ...(id !== undefined && { sessionId: id }),
    parts,
  };
};

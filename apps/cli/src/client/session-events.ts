import type { StoredEvent } from '@fleet/contracts/sessions';
import { isCliError, type CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { Terminal } from '../terminal';
import { isLostConnection, type GatewayClient } from './gateway-client';
import { SseParser } from './sse-parser';

interface Reconnection {
  /** Milliseconds of the first pause; each next one is twice as long, up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Milliseconds without the gateway until the client gives up. */
  readonly giveUpMs: number;
  /** Called once per lost connection, with its error. */
  readonly onLost: (error: CliError | undefined) => void;
  readonly pause: Terminal['pause'];
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** For a waiting user: waits while a gateway restarts, but not for one that stays down. */
export const reconnectionOf = (terminal: Pick<Terminal, 'err' | 'pause'>): Reconnection => ({
  pause: terminal.pause,
  now: () => performance.now(),
  firstPauseMs: 200,
  longestPauseMs: 3000,
  giveUpMs: 600_000,
  onLost: (error) => {
    const what = isUnavailable(error) ? 'cannot answer at the moment' : 'cannot be reached';
    terminal.err(`(the gateway ${what}; the session continues, and this output resumes when the gateway is back)\n`);
  },
});

/** Whether the gateway responds that it is temporarily unavailable (503), because its database is. */
export const isUnavailable = (error: CliError | undefined): boolean => error?.document['status'] === 503;

/** The time from a lost connection to the next event or heartbeat. */
class Outage {
  private since: number | undefined;
  private pauseMs: number;

  constructor(
    private readonly rules: Reconnection,
    private readonly interrupted: AbortSignal,
  ) {
    this.pauseMs = rules.firstPauseMs;
  }

  over(): void {
    this.since = undefined;
    this.pauseMs = this.rules.firstPauseMs;
  }

  /** @throws the error if it has lasted too long */
  async wait(error: CliError | undefined): Promise<void> {
    if (this.since === undefined) this.rules.onLost(error);
    const now = this.rules.now();
    this.since ??= now;
    if (error !== undefined && now - this.since > this.rules.giveUpMs) throw error;
    await this.rules.pause(this.pauseMs, this.interrupted);
    this.pauseMs = Math.min(this.pauseMs * 2, this.rules.longestPauseMs);
  }
}

/**
 * Repeats a request until the gateway responds.
 * @param isOutage whether an error is worth waiting for
 * @throws CliError if it is rejected, or the gateway stays down for too long
 */
export const patiently = async <T>(
  client: GatewayClient,
  ask: () => Promise<T>,
  reconnection: Reconnection,
  isOutage = (error: CliError): boolean => error.exitCode === exitCodes.server,
): Promise<T> => {
  const outage = new Outage(reconnection, client.interrupted);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isCliError(error) || !isOutage(error)) throw error;
      await outage.wait(error);
    }
  }
};

interface StreamCursor {
  /** Id of the last received event. */
  last: string;
  /** Before the first response an unreachable gateway is an error, afterwards an outage. */
  connected: boolean;
}

/** `ended`: the session has ended. Otherwise the connection was lost, with or without an error. */
type ConnectionEnd = 'ended' | CliError | undefined;

/**
 * A session's events from `after` until its end, once each and in order, over any number of connections.
 * @throws CliError if the session is missing, or the gateway stays down for too long
 */
export async function* sessionEvents(
  client: GatewayClient,
  id: string,
  after: string,
  reconnection: Reconnection,
): AsyncGenerator<StoredEvent> {
  const cursor: StreamCursor = { last: after, connected: false };
  const outage = new Outage(reconnection, client.interrupted);
  for (;;) {
    const end = yield* oneConnection(client, id, cursor, outage);
    if (end === 'ended') return;
    await outage.wait(end);
  }
}

async function* oneConnection(
  client: GatewayClient,
  id: string,
  cursor: StreamCursor,
  outage: Outage,
): AsyncGenerator<StoredEvent, ConnectionEnd> {
  const response = await connect(client, id, cursor);
  if (isCliError(response)) return response;
  cursor.connected = true;
  if (response.status === 204) return 'ended';
  const parser = new SseParser();
  let greeted = false;
  for await (const text of textOf(client, response)) {
    // Every connection begins with a greeting; anything that follows, even a heartbeat, shows that the gateway is back.
    if (greeted) outage.over();
    greeted = true;
    for (const { event, data } of parser.push(text)) {
      if (event === 'end') return 'ended';
      const stored = JSON.parse(data) as StoredEvent;
      cursor.last = stored.id;
      outage.over();
      yield stored;
    }
  }
  return undefined;
}

const connect = async (client: GatewayClient, id: string, cursor: StreamCursor): Promise<Response | CliError> => {
  const headers = { accept: 'text/event-stream', 'last-event-id': cursor.last };
  try {
    return await client.open('GET /v1/sessions/{id}/events', { path: { id } }, { headers });
  } catch (error) {
    if (!isCliError(error) || error.exitCode !== exitCodes.server) throw error;
    if (cursor.connected || isUnavailable(error)) return error;
    throw error;
  }
};

/** The body as text; ends when the connection breaks, because it is opened again. */
async function* textOf(client: GatewayClient, response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of client.pieces(response)) yield decoder.decode(bytes, { stream: true });
  } catch (error) {
    if (!isLostConnection(error)) throw error;
  }
}

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
  /** Milliseconds without the gateway after which the client gives up. */
  readonly giveUpMs: number;
  /** Called once for each loss, with what it was known by. */
  readonly onLost: (error: CliError | undefined) => void;
  readonly pause: Terminal['pause'];
  /** Milliseconds, by a clock that is never set. */
  readonly now: () => number;
}

/** For a person who waits: a gateway that restarts is waited for, and one that stays away is not. */
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

/** Whether the gateway is there and says that it cannot answer at the moment (503): its database is away. */
export const isUnavailable = (error: CliError | undefined): boolean => error?.document['status'] === 503;

/** The time between the loss of the gateway and its first event or sign of life afterwards. */
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

  /** @throws the error when it has lasted too long */
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
 * Asks until the gateway answers.
 * @param isOutage what is waited for
 * @throws CliError when it refuses, or stays away for too long
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
  /** Id of the last event that was seen. */
  last: string;
  /** Before the first answer an absent gateway is an error, afterwards an outage. */
  connected: boolean;
}

/** `ended`: the session has. Else the connection was lost, with or without an error that says why. */
type ConnectionEnd = 'ended' | CliError | undefined;

/**
 * A session's events from `after` until it has ended, once each and in order, over any number of connections.
 * @throws CliError when the session is not there, or the gateway stays away for too long
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
    // Every connection begins with a greeting; whatever follows, if only a sign of life, says that the gateway is back.
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

/** The body as text; a connection that breaks ends it, because it is made again. */
async function* textOf(client: GatewayClient, response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of client.pieces(response)) yield decoder.decode(bytes, { stream: true });
  } catch (error) {
    if (!isLostConnection(error)) throw error;
  }
}

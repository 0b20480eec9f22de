import type { OutcomeView, Session, SessionHead, StoredEvent, Verbosity } from '@fleet/contracts/sessions';
import { explainedOutcome, plainLine } from '@fleet/session-report';
import { isCliError } from '../cli-error';
import type { GatewayClient } from '../client/gateway-client';
import { isUnavailable, patiently, reconnectionOf, sessionEvents } from '../client/session-events';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes';
import { painter, type Paint, type Terminal } from '../terminal';
import { eventLines } from './event-lines';
import { LiveLine, type Running } from './live-line';

export interface WatchOptions {
  readonly json: boolean;
  readonly colors: boolean;
  readonly verbosity: Verbosity;
}

const tickMs = 1000;
/** Bytes of log that are searched for the last line. */
const logTail = 2048;

/** The outcome, as the last printed line. */
const outcomeLine = (id: string, { word, sentence, next }: OutcomeView): string =>
  `\nSession ${id}: ${word}. ${sentence} ${next}\n`;

/** Follows the running program for the live line. */
class ProgramWatch {
  private running: Running | undefined;
  private lastLine = '';
  private asking = false;
  private readonly line: LiveLine;
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: GatewayClient,
    private readonly id: string,
    terminal: Terminal,
    paint: Paint,
  ) {
    this.line = new LiveLine(terminal, paint);
    if (terminal.live) this.timer = setInterval(() => void this.tick(), tickMs);
  }

  see(event: StoredEvent): void {
    this.line.hide();
    if (event.type === 'attempt_started') {
      const attempt = typeof event.data.attempt === 'number' ? event.data.attempt : 1;
      const program = event.message.split(' ')[0] ?? '';
      this.running = { program, cycle: event.cycle, attempt, startedAt: Date.parse(event.at) };
      this.lastLine = '';
    }
    if (event.type === 'attempt_ended' || event.type === 'session_ended') this.running = undefined;
  }

  stop(): void {
    clearInterval(this.timer);
    this.line.hide();
  }

  private async tick(): Promise<void> {
    const { running } = this;
    if (running === undefined) return;
    this.line.show(running, this.lastLine, Date.now());
    if (this.asking) return;
    this.asking = true;
    const { cycle, attempt } = running;
    const log = { path: { id: this.id, cycle: String(cycle) }, query: { offset: -logTail, attempt } };
    try {
      const text = await this.client.text('GET /v1/sessions/{id}/cycles/{cycle}/log', log);
      this.lastLine = text.split('\n').findLast((line) => /\w/.test(line)) ?? '';
    } catch (error) {
      // The line is optional: without the log the time still counts. The event stream reports other errors.
      if (!isCliError(error)) this.lastLine = '';
    } finally {
      this.asking = false;
    }
  }
}

/**
 * Prints the events of a session until it has ended.
 * @returns the exit code for the session's end
 */
export const watchSession = async (
  client: GatewayClient,
  id: string,
  options: WatchOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const paint = painter(options.colors);
  const programs = new ProgramWatch(client, id, terminal, paint);
  const reconnection = reconnectionOf(terminal);
  try {
    const askHead = (): Promise<SessionHead> => client.json('GET /v1/sessions/{id}/status', { path: { id } });
    // An unreachable gateway may be the wrong one; a temporarily unavailable one is waited for.
    const { folder } = await patiently(client, askHead, reconnection, isUnavailable);
    const head = `Session ${id}, files in ${plainLine(folder)}\n`;
    // Events do not name their session, and this line must not be mixed with JSON documents.
    if (options.json) terminal.err(head);
    else terminal.out(head);
    const view = { verbosity: options.verbosity, paint, folder };
    for await (const event of sessionEvents(client, id, '0', reconnection)) {
      programs.see(event);
      const lines = options.json ? [JSON.stringify(event)] : eventLines(event, view);
      if (lines.length > 0) terminal.out(`${lines.join('\n')}\n`);
    }
    const askSession = (): Promise<Session> => client.session(id);
    const outcome = explainedOutcome(await patiently(client, askSession, reconnection));
    if (outcome === undefined) return exitCodes.ok;
    if (!options.json) terminal.out(outcomeLine(id, outcome));
    return exitCodeOf[outcome.word];
  } catch (error) {
    if (!terminal.interrupted.aborted) throw error;
    programs.stop();
    terminal.err(`\nThe session continues. Watch it again with: phx watch ${id}\nCancel it with: phx cancel ${id}\n`);
    return exitCodes.interrupted;
  } finally {
    programs.stop();
  }
};

import { plainLines } from '@fleet/session-report';
import { isCliError } from '../cli-error';
import { patiently, reconnectionOf } from '../client/session-events';
import type { CommandContext } from '../command-context';

/** Milliseconds between two polls of a growing log. */
export const pollMs = 500;
const chunkBytes = 1024 * 1024;

/** A launch of a program whose log is printed. */
export interface Launch {
  readonly cycle: number;
  readonly program: string;
  readonly attempt: number;
}

/** A part of a log, and the state of the rest. */
interface LogChunk {
  readonly bytes: Uint8Array;
  readonly next: number;
  readonly atEnd: boolean;
  /** The log is complete. */
  readonly complete: boolean;
}

const chunkOf = async ({ client }: CommandContext, id: string, launch: Launch, offset: number): Promise<LogChunk> => {
  const { cycle, attempt } = launch;
  const response = await client.open('GET /v1/sessions/{id}/cycles/{cycle}/log', {
    path: { id, cycle: String(cycle) },
    query: { attempt, limit: chunkBytes, offset },
  });
  const bytes = new Uint8Array(await client.arrived(response.arrayBuffer()));
  const next = Number(response.headers.get('x-log-next-offset'));
  const atEnd = next >= Number(response.headers.get('x-log-size'));
  return { bytes, next, atEnd, complete: response.headers.get('x-log-complete') === 'true' };
};

/** Prints parts of one log. A multi-byte character may be split between two of them. */
class LogPrinter {
  private readonly decoder = new TextDecoder();

  constructor(
    private readonly context: CommandContext,
    private readonly launch: Launch,
  ) {}

  print({ bytes }: LogChunk, offset: number): void {
    const { json, terminal } = this.context;
    if (bytes.length === 0) return;
    if (!json && !terminal.live) {
      terminal.out(bytes);
      return;
    }
    this.show(this.decoder.decode(bytes, { stream: true }), offset);
  }

  /** A truncated character at the end of the log. */
  end(offset: number): void {
    this.show(this.decoder.decode(), offset);
  }

  private show(text: string, offset: number): void {
    const { json, terminal } = this.context;
    const { cycle, program } = this.launch;
    if (text === '') return;
    terminal.out(json ? `${JSON.stringify({ cycle, program, offset, text })}\n` : plainLines(text));
  }
}

/** Prints the existing log of a launch. */
export const printLog = async (context: CommandContext, id: string, launch: Launch): Promise<void> => {
  const printer = new LogPrinter(context, launch);
  for (let offset = 0; ;) {
    const chunk = await chunkOf(context, id, launch, offset);
    printer.print(chunk, offset);
    offset = chunk.next;
    if (chunk.atEnd) {
      printer.end(offset);
      return;
    }
  }
};

/** Prints the log of a launch until it is complete; a launch without a log is skipped. */
export const followLog = async (context: CommandContext, id: string, launch: Launch): Promise<void> => {
  const { client, terminal, json } = context;
  const { cycle, program, attempt } = launch;
  const printer = new LogPrinter(context, launch);
  const reconnection = reconnectionOf(terminal);
  let found = false;
  for (let offset = 0; ;) {
    const from = offset;
    const chunk = await patiently(client, () => chunkOf(context, id, launch, from), reconnection).catch(
      (error: unknown) => {
        if (isCliError(error) && error.document['code'] === 'log.not_found') return undefined;
        throw error;
      },
    );
    if (chunk === undefined) return;
    const which = attempt === 1 ? program : `${program}, attempt ${String(attempt)}`;
    if (!found && !json) terminal.err(`==> cycle ${String(cycle)}: ${which} <==\n`);
    found = true;
    printer.print(chunk, offset);
    offset = chunk.next;
    if (chunk.complete) {
      printer.end(offset);
      return;
    }
    if (chunk.atEnd) await terminal.pause(pollMs);
  }
};

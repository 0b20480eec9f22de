import { setTimeout as pause } from 'node:timers/promises';
import type { SessionUpdate, StoredEvent } from '@fleet/contracts/sessions';

/** A message of an event stream. */
export interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly comment?: string;
}

/** Reads an event stream as a browser does. */
export class StreamReader {
  readonly frames: Frame[] = [];
  closed = false;
  /** Why the connection was lost; absent where the gateway ended the stream, or the reader left. */
  lost: unknown;

  private constructor(
    readonly response: Response,
    private readonly leaving: AbortController,
  ) {}

  static async open(url: string, headers: Record<string, string> = {}): Promise<StreamReader> {
    const leaving = new AbortController();
    const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: leaving.signal });
    const reader = new StreamReader(response, leaving);
    void reader.read();
    return reader;
  }

  private async read(): Promise<void> {
    let buffered = '';
    try {
      for await (const part of this.response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        buffered += part;
        const blocks = buffered.split('\n\n');
        buffered = blocks.pop() ?? '';
        this.frames.push(...blocks.map(parse));
      }
    } catch (error) {
      if (!this.leaving.signal.aborted) this.lost = error;
    }
    this.closed = true;
  }

  get events(): StoredEvent[] {
    return this.frames.flatMap(({ id, data }) => (id === undefined ? [] : [JSON.parse(data ?? '') as StoredEvent]));
  }

  /** Of a stream of many sessions. */
  get updates(): SessionUpdate[] {
    return this.frames.flatMap(({ event, data }) =>
      event === undefined && data !== undefined ? [JSON.parse(data) as SessionUpdate] : [],
    );
  }

  /** Where it would continue. */
  get lastId(): string {
    return this.frames.findLast(({ id }) => id !== undefined)?.id ?? '';
  }

  async until(condition: (reader: this) => boolean, waitMs = 60_000): Promise<void> {
    const deadline = Date.now() + waitMs;
    while (!condition(this)) {
      if (Date.now() > deadline)
        throw new Error(
          `the stream brought ${String(this.frames.length)} frames, at last ${JSON.stringify(this.frames.slice(-20))}`,
        );
      await pause(5);
    }
  }

  leave(): void {
    this.leaving.abort();
  }
}

const parse = (block: string): Frame =>
  Object.fromEntries(
    block.split('\n').map((line) => {
      const [name = '', ...rest] = line.split(':');
      return [name === '' ? 'comment' : name, rest.join(':').trim()];
    }),
  );

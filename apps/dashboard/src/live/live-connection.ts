import type { SessionUpdate } from '@fleet/contracts/sessions';
import { api, isFailure, openUpdateStream } from '../api/calls';
import { FrameReader, type Frame } from './frame-reader';

/** Whether the page is up to date. */
export type LiveState =
  | { readonly kind: 'connecting' | 'live' | 'polling' }
  /** The gateway has not responded since then (milliseconds). */
  | { readonly kind: 'stale'; readonly since: number };

/** Receiver of updates. */
export interface LiveListener {
  moved(update: SessionUpdate): void;
  /** Updates may have been missed: lists must be fetched again. */
  reload(): void;
  /** The key is no longer valid. */
  refused(): void;
  changed(state: LiveState): void;
}

/** The gateway sends something at least every 15 s. */
const silentMs = 22_000;
const retryMs = 1_000;
const longestRetryMs = 5_000;

/** Resolves after the time, or when the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * One stream of updates for the whole page. It continues where it was disconnected (`Last-Event-ID`); without a stream
 * it polls, and without a response it reports since when.
 */
export class LiveConnection {
  private cursor: string | undefined;
  private heardAt = Date.now();
  private isStale = false;
  private readonly end = new AbortController();
  private cut = new AbortController();

  constructor(private readonly listener: LiveListener) {}

  async run(): Promise<void> {
    const { signal } = this.end;
    for (let failures = 0; !this.isOver(); failures += 1) {
      try {
        // A gateway opens a stream even while its store is unreachable.
        if (this.isStale) await this.askOnce();
        await this.listen();
        failures = 0;
        await this.askOnce();
      } catch (error) {
        if (this.isOver() || !(await this.answered(error))) return;
      }
      await pause(Math.min(longestRetryMs, retryMs * 2 ** failures), signal);
    }
  }

  private isOver(): boolean {
    return this.end.signal.aborted;
  }

  stop(): void {
    this.end.abort();
    this.cut.abort();
  }

  /** A computer that slept does not detect a lost connection. */
  wake(): void {
    if (Date.now() - this.heardAt > silentMs) this.cut.abort();
  }

  /** Handles a failed stream; false: it is over. */
  private async answered(error: unknown): Promise<boolean> {
    try {
      if (isFailure(error, 401)) throw error;
      await this.askOnce();
      return true;
    } catch (second) {
      if (isFailure(second, 401)) {
        this.listener.refused();
        return false;
      }
      this.goStale();
      return !this.isOver();
    }
  }

  /** Until the stream ends or falls silent. */
  private async listen(): Promise<void> {
    this.cut = new AbortController();
    const cut = this.cut;
    const watch = setInterval(() => this.wake(), 2_000);
    try {
      const { body } = await openUpdateStream(this.cursor, cut.signal);
      if (body === null) return;
      this.hear('live');
      const frames = new FrameReader();
      const decoder = new TextDecoder();
      for (const reader = body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) return;
        this.heardAt = Date.now();
        const arrived = frames.push(decoder.decode(value, { stream: true }));
        for (const frame of arrived) this.take(frame);
        if (!arrived.some(({ event }) => event === 'away')) continue;
        // Polling detects when it is back, and fetches what has happened.
        this.goStale();
        return;
      }
    } catch (error) {
      // Disconnected here or by the network: the next request shows whether the gateway is reachable.
      if (isFailure(error)) throw error;
    } finally {
      clearInterval(watch);
      cut.abort();
    }
  }

  private take({ event, id, data }: Frame): void {
    if (id !== undefined) this.cursor = id;
    if (event === 'ready' || event === 'reload') this.listener.reload();
    else if (event === '' && data !== '') this.listener.moved(JSON.parse(data) as SessionUpdate);
  }

  /** One poll, for a page without a stream. */
  private async askOnce(): Promise<void> {
    const { updates, next, missed } = await api.json(
      'GET /v1/events',
      { query: { after: this.cursor } },
      { signal: this.end.signal },
    );
    const isFirst = this.cursor === undefined;
    this.cursor = next;
    this.hear('polling');
    if (missed || isFirst) this.listener.reload();
    for (const one of updates) this.listener.moved(one);
  }

  private goStale(): void {
    this.isStale = true;
    this.listener.changed({ kind: 'stale', since: this.heardAt });
  }

  private hear(kind: 'live' | 'polling'): void {
    this.heardAt = Date.now();
    this.isStale = false;
    this.listener.changed({ kind });
  }
}

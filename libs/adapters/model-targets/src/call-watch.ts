import type { CallLimits } from './target-settings';

export interface Timers {
  set(after: () => void, ms: number): NodeJS.Timeout;
  clear(timer: NodeJS.Timeout): void;
}

const ofNode: Timers = { set: setTimeout, clear: clearTimeout };

/** Aborts a call when its caller gives up, or when it is silent or lasts longer than allowed. */
export class CallWatch {
  private readonly controller = new AbortController();
  private readonly total: NodeJS.Timeout;
  private idle: NodeJS.Timeout;
  private readonly over: Promise<never>;
  private reached: { readonly class: 'timeout' | 'aborted'; readonly why: string } | undefined;

  constructor(
    private readonly limits: CallLimits,
    private readonly caller?: AbortSignal,
    private readonly timers: Timers = ofNode,
  ) {
    const { totalMs, firstMs } = limits;
    this.over = new Promise((_, reject) =>
      this.signal.addEventListener('abort', () => reject(new Error(this.reached?.why ?? 'the call is over'))),
    );
    // `until` handles the rejection during the call; afterwards nothing does.
    this.over.catch(() => undefined);
    this.total = this.after(totalMs, `no end within ${seconds(totalMs)}`);
    this.idle = this.after(firstMs, `no content within ${seconds(firstMs)}`);
    caller?.addEventListener('abort', this.onCaller);
    if (caller?.aborted === true) this.onCaller();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why this watch aborted the call; undefined if it did not. */
  get ended(): CallWatch['reached'] {
    return this.reached;
  }

  /** Content has arrived. */
  sawContent(): void {
    this.timers.clear(this.idle);
    const { idleMs } = this.limits;
    this.idle = this.after(idleMs, `no content for ${seconds(idleMs)} within the answer`);
  }

  /** Rejects when the call is aborted, even if the work does not notice. */
  until<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.over]);
  }

  /** Releases the connection and the timers. */
  close(): void {
    this.timers.clear(this.total);
    this.timers.clear(this.idle);
    this.caller?.removeEventListener('abort', this.onCaller);
    this.controller.abort();
  }

  private readonly onCaller = (): void => this.end('aborted', 'the caller gave up');

  private after(ms: number, why: string): NodeJS.Timeout {
    return this.timers.set(() => this.end('timeout', why), ms);
  }

  private end(reason: 'timeout' | 'aborted', why: string): void {
    this.reached ??= { class: reason, why };
    this.controller.abort();
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toString()} s`;

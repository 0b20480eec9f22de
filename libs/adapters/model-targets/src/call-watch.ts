import type { CallLimits } from './target-settings';

export interface Timers {
  set(after: () => void, ms: number): NodeJS.Timeout;
  clear(timer: NodeJS.Timeout): void;
}

const ofNode: Timers = { set: setTimeout, clear: clearTimeout };

/** Ends a call: when its caller gives up, or when it is silent or continues for longer than allowed. */
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
    this.over = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => {
        reject(new Error(this.reached?.why ?? 'the call is over'));
      });
    });
    // Heard by whoever waits in `until`; after the call by nobody.
    this.over.catch(() => undefined);
    this.total = this.after(totalMs, `no end within ${seconds(totalMs)}`);
    this.idle = this.after(firstMs, `no content within ${seconds(firstMs)}`);
    caller?.addEventListener('abort', this.onCaller);
    if (caller?.aborted === true) this.onCaller();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the call was ended from here; undefined where it was not. */
  get ended(): CallWatch['reached'] {
    return this.reached;
  }

  /** Something of the answer has come. */
  sawContent(): void {
    this.timers.clear(this.idle);
    const { idleMs } = this.limits;
    this.idle = this.after(idleMs, `no content for ${seconds(idleMs)} in the midst of the answer`);
  }

  /** Rejects when the call is ended, whether or not the work hears of it. */
  until<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.over]);
  }

  /** Lets go of the connection and the timers. */
  close(): void {
    this.timers.clear(this.total);
    this.timers.clear(this.idle);
    this.caller?.removeEventListener('abort', this.onCaller);
    this.controller.abort();
  }

  private readonly onCaller = (): void => {
    this.end('aborted', 'the caller gave up');
  };

  private after(ms: number, why: string): NodeJS.Timeout {
    return this.timers.set(() => {
      this.end('timeout', why);
    }, ms);
  }

  private end(reason: 'timeout' | 'aborted', why: string): void {
    this.reached ??= { class: reason, why };
    this.controller.abort();
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toString()} s`;

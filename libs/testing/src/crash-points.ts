/** A call of a port at which its process fails. */
export interface CrashPoint {
  /** The number of the call in its process, from 1. */
  readonly call: number;
  /** Before the call has its effect, or after it but before it returns. */
  readonly side: 'before' | 'after';
  /** The process dies; or only the call fails, and the process continues. */
  readonly trouble: 'dies' | 'fails';
}

export const wordsOf = ({ call, side, trouble }: CrashPoint): string => `${trouble} ${side} call ${call}`;

/** A call made by a process. */
export interface PortCall {
  /** `port.method` */
  readonly what: string;
  readonly isRead: boolean;
}

/**
 * All crash points of a process with these calls. A crash before an effect leaves the same state as the crash after the
 * previous effect, and so does one at a read: of these only the first is tested.
 */
export const crashPoints = (calls: readonly PortCall[]): readonly CrashPoint[] => {
  const first = calls.findIndex(({ isRead }) => !isRead) + 1;
  return calls.flatMap(({ isRead }, index): readonly CrashPoint[] => {
    const call = index + 1;
    if (isRead) return [{ call, side: 'before', trouble: 'fails' }];
    return [
      ...(call === first ? [{ call, side: 'before', trouble: 'dies' } as const] : []),
      { call, side: 'after', trouble: 'dies' },
      { call, side: 'before', trouble: 'fails' },
      { call, side: 'after', trouble: 'fails' },
    ];
  });
};

export class ProcessDied extends Error {}

type Call = (...args: readonly unknown[]) => unknown;

interface PortOptions {
  /** The error of a failing call. */
  readonly failure: () => Error;
  /** Methods without an effect. */
  readonly reads?: readonly string[];
  /** Methods that return at once without an effect; not counted. */
  readonly except?: readonly string[];
}

/**
 * A process with an end: counts its calls of ports, and fails at one of them. A call made after its death has no effect
 * and never returns, so that not even error handlers run.
 */
export class MortalProcess {
  /** All calls so far. */
  readonly calls: PortCall[] = [];
  private readonly death: Promise<never>;
  private die: (error: ProcessDied) => void = () => undefined;
  private isDead = false;
  private inProgress = 0;

  /** @param point absent: it does not fail */
  constructor(private readonly point?: CrashPoint) {
    this.death = new Promise((_, reject) => {
      this.die = reject;
    });
    this.death.catch(() => undefined);
  }

  /** Runs the work, as long as the process lives. @throws ProcessDied */
  live<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([this.death, work()]);
  }

  /** Resolves when its background work is done. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = this.inProgress === 0 ? quiet + 1 : 0) await nextTurn();
  }

  /** Wraps a port for this process. A result with methods is wrapped too. */
  port<T extends object>(name: string, port: T, options: PortOptions): T {
    return new Proxy(port, {
      get: (target, key): unknown => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function' || typeof key === 'symbol') return member;
        const act: Call = (...args) => Reflect.apply(member, target, args) as unknown;
        if (options.except?.includes(key) === true) return act;
        const call = { what: `${name}.${key}`, isRead: options.reads?.includes(key) === true };
        return (...args: readonly unknown[]) => this.call(call, () => act(...args), options);
      },
    });
  }

  private async call(call: PortCall, act: () => unknown, options: PortOptions): Promise<unknown> {
    if (this.isDead) return never();
    this.calls.push(call);
    const { what } = call;
    const trouble = this.point?.call === this.calls.length ? this.point : undefined;
    if (trouble?.side === 'before') return this.meet(trouble, what, options);
    this.inProgress += 1;
    try {
      const result = await act();
      if (trouble !== undefined) return await this.meet(trouble, what, options);
      // Another call of this process ended it while this one was in progress.
      if (this.isGone()) return await never();
      return hasMethods(result) ? this.port(what, result, options) : result;
    } finally {
      this.inProgress -= 1;
    }
  }

  private meet(point: CrashPoint, what: string, { failure }: PortOptions): Promise<never> {
    if (point.trouble === 'fails') return Promise.reject(failure());
    this.isDead = true;
    this.die(new ProcessDied(`${wordsOf(point)} (${what})`));
    return never();
  }

  private isGone(): boolean {
    return this.isDead;
  }
}

const never = (): Promise<never> => new Promise(() => undefined);

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const hasMethods = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.values(value).some((member) => typeof member === 'function');

/** A call of a port at which something happens to the process that makes it. */
export interface CrashPoint {
  /** The number of the call in the life of its process, from 1. */
  readonly call: number;
  /** Before the call has its effect, or after it and before the process hears of it. */
  readonly side: 'before' | 'after';
  /** The process is gone; or the call alone fails, and the process continues. */
  readonly trouble: 'dies' | 'fails';
}

export const wordsOf = ({ call, side, trouble }: CrashPoint): string => `${trouble} ${side} call ${call}`;

/** A call that a process has made. */
export interface PortCall {
  /** `port.method` */
  readonly what: string;
  readonly isRead: boolean;
}

/**
 * Every point of a life with these calls. A death before an effect leaves the world as the death after the effect before it, and so does one
 * at a read: of those the first one stands for itself, and the others are not repeated.
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
  /** What a call of it fails with. */
  readonly failure: () => Error;
  /** Methods without an effect. */
  readonly reads?: readonly string[];
  /** Methods that answer at once, without an effect: they are not counted. */
  readonly except?: readonly string[];
}

/**
 * One process, as the world sees it: the calls that it makes of its ports, counted, and its end at one of them. A call that a process makes
 * when it is dead has no effect and never answers, so that not even its error handlers run.
 */
export class MortalProcess {
  /** All so far. */
  readonly calls: PortCall[] = [];
  private readonly death: Promise<never>;
  private die: (error: ProcessDied) => void = () => undefined;
  private isDead = false;
  private underWay = 0;

  /** @param point absent: nothing happens to it */
  constructor(private readonly point?: CrashPoint) {
    this.death = new Promise((_, reject) => {
      this.die = reject;
    });
    this.death.catch(() => undefined);
  }

  /** Does the work, as far as the process lives. @throws ProcessDied */
  live<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([this.death, work()]);
  }

  /** What it has begun beside its work is done. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = this.underWay === 0 ? quiet + 1 : 0) await nextTurn();
  }

  /** The port as this process has it. What a call gives that has methods of its own is a port, too. */
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
    this.underWay += 1;
    try {
      const result = await act();
      if (trouble !== undefined) return await this.meet(trouble, what, options);
      // Another call of this process was its end while this one was under way.
      if (this.isGone()) return await never();
      return hasMethods(result) ? this.port(what, result, options) : result;
    } finally {
      this.underWay -= 1;
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

import type { Redis } from 'ioredis';

/**
 * Waiting for a session's events without a blocking connection per reader: one subscriber connection for the whole process,
 * opened at the first wait. An announcement that gets lost (a reconnect) costs a reader its wait, never an event: it reads the stream afterwards.
 */
export class EventNews {
  private subscriber: Redis | undefined;
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly redis: Redis) {}

  /** Calls `look` after the subscription stands and after each announcement, until it finds something or the time is over. */
  async until<T>(channel: string, waitMs: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const deadline = performance.now() + waitMs;
    const bell = new Bell();
    const ring = (): void => {
      bell.ring();
    };
    try {
      await this.listen(channel, ring);
      for (;;) {
        const found = await look();
        const left = deadline - performance.now();
        if (found !== undefined || left <= 0) return found;
        await bell.wait(left);
      }
    } finally {
      this.leave(channel, ring);
    }
  }

  close(): void {
    this.subscriber?.disconnect();
    for (const rings of this.waiting.values()) for (const ring of rings) ring();
  }

  private async listen(channel: string, ring: () => void): Promise<void> {
    const rings = this.waiting.get(channel) ?? new Set();
    rings.add(ring);
    this.waiting.set(channel, rings);
    await this.connection().subscribe(channel);
  }

  private leave(channel: string, ring: () => void): void {
    const rings = this.waiting.get(channel);
    rings?.delete(ring);
    if (rings?.size !== 0) return;
    this.waiting.delete(channel);
    // Not waited for: a subscription too many is harmless, and a closed connection has none.
    this.subscriber?.unsubscribe(channel).catch(() => undefined);
  }

  private connection(): Redis {
    if (this.subscriber === undefined) {
      this.subscriber = this.redis.duplicate();
      // Errors are those of the main connection, which reports them; this one reconnects by itself.
      this.subscriber.on('error', () => undefined);
      this.subscriber.on('message', (channel: string) => {
        for (const ring of this.waiting.get(channel) ?? []) ring();
      });
    }
    return this.subscriber;
  }
}

/** Rings once for every wait, also when it rang before the wait began. */
class Bell {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = (): void => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.rung = false;
    this.wake = undefined;
  }
}

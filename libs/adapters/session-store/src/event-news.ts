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
    this.ring(this.waiting.keys());
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

  /** Listens again to what is waited for; every reader looks once more, for announcements were lost meanwhile. */
  private async renew(subscriber: Redis): Promise<void> {
    const channels = [...this.waiting.keys()];
    if (channels.length === 0) return;
    try {
      await subscriber.subscribe(...channels);
    } catch {
      return; // The connection is gone again: its next `ready` comes here, and each reader looks when its wait is over.
    }
    this.ring(channels);
  }

  private ring(channels: Iterable<string>): void {
    for (const channel of channels) for (const ring of this.waiting.get(channel) ?? []) ring();
  }

  private connection(): Redis {
    if (this.subscriber === undefined) {
      // ioredis awaits nothing of the subscriptions that it renews itself: one that failed would end the process.
      const subscriber = this.redis.duplicate({ autoResubscribe: false });
      // Errors are those of the main connection, which reports them; this one reconnects by itself.
      subscriber.on('error', () => undefined);
      subscriber.once('ready', () => subscriber.on('ready', () => void this.renew(subscriber)));
      this.subscriber = subscriber;
      // Readers find out at once that Redis is gone, not when their wait is over.
      subscriber.on('close', () => {
        this.ring(this.waiting.keys());
      });
      subscriber.on('message', (channel: string) => {
        this.ring([channel]);
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

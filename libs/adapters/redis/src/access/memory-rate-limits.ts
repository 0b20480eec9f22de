import type { RateLimits, Taken } from '@fleet/ports';

const minuteMs = 60_000;

/** In-memory buckets, for tests. */
export class MemoryRateLimits implements RateLimits {
  private readonly buckets = new Map<string, { left: number; at: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  take(bucket: string, perMinute: number, wanted: number): Promise<Taken> {
    const held = this.filled(bucket, perMinute);
    const granted = Math.max(0, Math.min(wanted, Math.floor(held.left)));
    held.left -= granted;
    const missing = Math.min(wanted, perMinute) - held.left;
    return Promise.resolve({ granted, retryMs: granted > 0 ? 0 : Math.ceil((missing * minuteMs) / perMinute) });
  }

  charge(bucket: string, perMinute: number, used: number): Promise<void> {
    this.filled(bucket, perMinute).left -= used;
    return Promise.resolve();
  }

  private filled(bucket: string, perMinute: number): { left: number; at: number } {
    const now = this.now();
    const was = this.buckets.get(bucket) ?? { left: perMinute, at: now };
    const held = { left: Math.min(perMinute, was.left + ((now - was.at) * perMinute) / minuteMs), at: now };
    this.buckets.set(bucket, held);
    return held;
  }
}

import { systemClock, type Clock, type RunCensus, type RunSlots, type SlotClaim, type SlotResult } from '@fleet/ports';
import { isoOf } from './moments';

/** The slots' twin for tests of other parts: same rules (it passes the same contract), gone with the process. */
export class MemoryRunSlots implements RunSlots {
  private readonly held = new Map<string, readonly string[]>();
  private readonly waits = new Map<string, number>();

  constructor(private readonly clock: Clock = systemClock) {}

  take(name: string, claims: readonly SlotClaim[]): Promise<SlotResult> {
    if (this.held.has(name)) return Promise.resolve({ taken: true, before: true });
    const counts = this.counts();
    const full = claims.find(({ key, limit }) => limit > 0 && (counts[key] ?? 0) >= limit);
    if (full !== undefined) return Promise.resolve({ taken: false, full });
    this.hold(name, claims);
    return Promise.resolve({ taken: true, before: false });
  }

  running(name: string, claims: readonly SlotClaim[]): Promise<void> {
    if (!this.held.has(name)) this.hold(name, claims);
    this.waits.delete(name);
    return Promise.resolve();
  }

  waiting(name: string, place: 'kept' | 'given_back'): Promise<void> {
    if (place === 'given_back') this.held.delete(name);
    if (!this.waits.has(name)) this.waits.set(name, this.clock.now());
    return Promise.resolve();
  }

  release(name: string): Promise<void> {
    this.held.delete(name);
    this.waits.delete(name);
    return Promise.resolve();
  }

  members(): Promise<readonly string[]> {
    return Promise.resolve([...new Set([...this.held.keys(), ...this.waits.keys()])].sort());
  }

  census(): Promise<RunCensus> {
    const since = [...this.waits.values()].sort((a, b) => a - b)[0];
    return Promise.resolve({
      taken: this.counts(),
      waiting: this.waits.size,
      ...(since !== undefined && { oldestWaitingSince: isoOf(since) }),
    });
  }

  private hold(name: string, claims: readonly SlotClaim[]): void {
    this.held.set(
      name,
      claims.map(({ key }) => key),
    );
  }

  private counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const key of [...this.held.values()].flat()) counts[key] = (counts[key] ?? 0) + 1;
    return counts;
  }
}

import { nextToLaunch } from '@fleet/fair-shares';
import type { RunSlots } from '@fleet/ports';
import type { CurrentPolicy } from './current-policy';

/** Tries to read the queue consistently before it is left to the other executors. */
const mostTries = 5;

/**
 * Grants slots to the next runs in the queue. Any number of executors may do so at once: a grant based on outdated data
 * is rejected and recalculated, and the store enforces the limits.
 */
export class LaunchQueue {
  private serving: Promise<readonly string[]> = Promise.resolve([]);

  constructor(
    private readonly slots: Pick<RunSlots, 'line' | 'grant'>,
    private readonly policy: Pick<CurrentPolicy, 'read'>,
  ) {}

  /** @returns the names of the runs that have just got a slot */
  serve(): Promise<readonly string[]> {
    // Serialised: a change may have come after a read in progress.
    const next = (): Promise<readonly string[]> => this.serveNow();
    this.serving = this.serving.then(next, next);
    return this.serving;
  }

  private async serveNow(): Promise<readonly string[]> {
    const { slots } = this;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const [{ census, waiters, revision }, policy] = await Promise.all([slots.line(), this.policy.read()]);
      const { start } = nextToLaunch(census, waiters, policy);
      const granted = start.length === 0 ? [] : await slots.grant(start, revision);
      if (granted !== undefined) return granted;
    }
    return [];
  }
}

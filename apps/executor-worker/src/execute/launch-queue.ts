import { nextToLaunch } from '@fleet/fair-shares';
import type { RunSlots } from '@fleet/ports';
import type { CurrentPolicy } from './current-policy';

/** Looks at the line after which it is left to the others who give out places meanwhile. */
const mostTries = 5;

/**
 * Gives places to whoever is next in line. Any number of executors may do it at once: a grant that follows from what is no longer so is
 * refused and made again, and limits are kept by the store.
 */
export class LaunchQueue {
  private serving: Promise<readonly string[]> = Promise.resolve([]);

  constructor(
    private readonly slots: Pick<RunSlots, 'line' | 'grant'>,
    private readonly policy: Pick<CurrentPolicy, 'read'>,
  ) {}

  /** @returns the names of those that have a place now, and had none before */
  serve(): Promise<readonly string[]> {
    // One after the other: what it is to see may have come later than a look that is under way.
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

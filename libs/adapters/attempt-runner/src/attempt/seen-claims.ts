import { isUnknownHost } from '../processes/process-table';
import type { RunRecord } from './attempt-records';
import { isSealedProgram } from './result-seal';

/** Number of remembered runs; the oldest are dropped first. */
const maxRuns = 20_000;

/**
 * Remembers the first claim read of each run. Only that one counts: a claim that a program writes over it later is
 * ignored, except for additions that the first supervisor sealed.
 */
export class SeenClaims {
  private readonly claims = new Map<string, RunRecord>();

  /** The claim that counts, given the one in the run's folder now. `key` identifies the run: the path of its folder. */
  of(key: string, seen: RunRecord | undefined): RunRecord | undefined {
    const known = this.claims.get(key);
    if (known === undefined) return seen === undefined ? undefined : this.remember(key, seen);
    if (seen === undefined || known.program !== undefined || seen.program === undefined) return known;
    const isTheirs = known.key === undefined ? isSameHolder(seen, known) : isSealedProgram(seen, known);
    return isTheirs ? this.remember(key, { ...known, program: seen.program }) : known;
  }

  forget(key: string): void {
    this.claims.delete(key);
  }

  private remember(key: string, claim: RunRecord): RunRecord {
    if (isUnknownHost(claim.host) || claim.claimedBy === 'cancel') return claim;
    this.claims.delete(key);
    this.claims.set(key, claim);
    const oldest = this.claims.size > maxRuns ? this.claims.keys().next().value : undefined;
    if (oldest !== undefined) this.claims.delete(oldest);
    return claim;
  }
}

const isSameHolder = (one: RunRecord, other: RunRecord): boolean =>
  one.supervisor.pid === other.supervisor.pid && one.supervisor.startTime === other.supervisor.startTime;

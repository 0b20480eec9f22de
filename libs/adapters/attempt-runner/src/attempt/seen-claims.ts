import { isUnknownHost } from '../processes/process-table';
import type { RunRecord } from './attempt-records';
import { isSealedProgram } from './result-seal';

/** Runs that are remembered at once; the oldest are forgotten first. */
const maxRuns = 20_000;

/**
 * The first claim that was seen of each run is the one that counts: whatever a program writes in its place later is not believed. Of a later one,
 * only what the holder of the first has added and sealed is taken over.
 */
export class SeenClaims {
  private readonly claims = new Map<string, RunRecord>();

  /** The claim of a run that counts, when `seen` is in its folder now. `key`: what tells runs apart, the path of its folder. */
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

import type { InventoryEntry } from './execution-backend.port';

export const ORPHAN_REGISTER = Symbol('OrphanRegister');

/** A run that a backend holds and no session record wants. */
export interface Orphan extends Pick<InventoryEntry, 'name' | 'owner' | 'createdAt'> {
  /** Why no record wants it, in one sentence. */
  readonly because: string;
}

export interface KnownOrphan extends Orphan {
  /** ISO 8601. */
  readonly firstSeenAt: string;
  /** Looks, each at least the time between two of them apart, at which it was an orphan. From `strikesOfOrphan` on it may be removed. */
  readonly strikes: number;
  /** Somebody asked to remove it; an executor will. */
  readonly removing: boolean;
}

/**
 * Runs that look like orphans. The gateway may not touch runs: what it wants removed is written here, and any executor does it.
 * Every implementation passes `orphanRegisterContract` in libs/testing.
 */
export interface OrphanRegister {
  /**
   * A whole look at the backend: what is not in it any more is forgotten, with the wish to remove it.
   * @param apartMs a strike counts when the last one is at least so long ago
   */
  saw(orphans: readonly Orphan[], apartMs: number): Promise<void>;
  list(): Promise<readonly KnownOrphan[]>;
  /** Asks for the removal of all that have their strikes; returns their names. Others stay as they are. */
  requestRemoval(): Promise<readonly string[]>;
  /** It is removed. Idempotent. */
  removed(name: string): Promise<void>;
}

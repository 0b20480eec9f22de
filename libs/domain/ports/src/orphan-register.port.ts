import type { KnownOrphan } from '@fleet/contracts/launches';

export const ORPHAN_REGISTER = Symbol('OrphanRegister');

/** A run that a backend holds and no session record wants. */
export type Orphan = Pick<KnownOrphan, 'name' | 'owner' | 'createdAt' | 'reason'>;

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

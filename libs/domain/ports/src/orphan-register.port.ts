import type { KnownOrphan } from '@fleet/contracts/launches';

export const ORPHAN_REGISTER = Symbol('OrphanRegister');

/** A run on a backend that no session record wants. */
export type Orphan = Pick<KnownOrphan, 'name' | 'owner' | 'createdAt' | 'reason'>;

/**
 * Suspected orphans. The gateway may not touch runs: it stores removal requests here, and any executor carries them out. Every implementation
 * passes `orphanRegisterContract` in libs/testing.
 */
export interface OrphanRegister {
  /**
   * Stores a complete inventory of orphans; entries that are missing from it are deleted, with their removal requests.
   * @param apartMs minimum time between two sightings that count
   */
  saw(orphans: readonly Orphan[], apartMs: number): Promise<void>;
  list(): Promise<readonly KnownOrphan[]>;
  /** Requests the removal of all orphans with enough sightings; returns their names. Others stay unchanged. */
  requestRemoval(): Promise<readonly string[]>;
  /** Deletes the entry after the removal. Idempotent. */
  removed(name: string): Promise<void>;
}

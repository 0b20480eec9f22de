import { anyone } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { Batch } from '@fleet/contracts/batches';

/** Rows are submitted as whoever made their batch, to its proposal and to no other, and with the results of no other. */
export const principalOfRows = ({ owner, proposal }: Pick<Batch, 'owner' | 'proposal'>): Principal =>
  owner === undefined ? anyone : { id: owner, role: 'user', proposals: [proposal], beamlines: [], scopes: ['submit'] };

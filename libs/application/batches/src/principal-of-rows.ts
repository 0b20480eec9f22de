import { anyone } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { Batch } from '@fleet/contracts/batches';

/** Rows are submitted as the owner of their batch, only to its proposal, and with access only to that proposal's results. */
export const principalOfRows = ({ owner, proposal }: Pick<Batch, 'owner' | 'proposal'>): Principal =>
  owner === undefined ? anyone : { id: owner, role: 'user', proposals: [proposal], beamlines: [], scopes: ['submit'] };

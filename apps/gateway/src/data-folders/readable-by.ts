import type { Provider } from '@nestjs/common';
import { proposalsRoot } from '@fleet/access';
import type { Principal } from '@fleet/contracts';
import { PROPOSAL_MEMBERS, type ProposalMembers } from '../access/proposal-members';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import { ReadableFolders } from './readable-folders';

/** What somebody may read. */
export type ReadableBy = (principal: Principal) => ReadableFolders;
export const READABLE_BY = Symbol('ReadableBy');

/** Files of submitters lie in the data roots, or are results of their proposals. */
export const readableByProvider: Provider<ReadableBy> = {
  provide: READABLE_BY,
  inject: [GATEWAY_OPTIONS, PROPOSAL_MEMBERS],
  useFactory:
    ({ dataRoots, workRoot }: GatewayOptions, members: ProposalMembers): ReadableBy =>
    (principal) =>
      new ReadableFolders([...dataRoots, proposalsRoot(workRoot, 'results')], principal, (proposal) =>
        members.beamlinesOf(proposal),
      ),
};

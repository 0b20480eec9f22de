import type { Provider } from '@nestjs/common';
import { proposalsRoot } from '@fleet/access';
import { ReadableFolders } from '@fleet/data-folders';
import { READABLE_BY, type ReadableBy } from '@fleet/ports';
import { PROPOSAL_MEMBERS, type ProposalMembers } from '../../auth/access/proposal-members';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';

/** Submitters' files are in the data roots, or are results of their proposals. */
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

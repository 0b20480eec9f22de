import { membersHookOf, type AccessConfig, type GatewayConfig, type StorageConfig } from '@fleet/config';
import type { Clock, MemberAnswers } from '@fleet/ports';
import { MembersFile, nobodysProposals, type ProposalMembers } from './proposal-members';
import { MembersHook } from './members-hook';

/**
 * The source of proposal memberships in addition to keys: the user office's file, its HTTP API, or none.
 * @throws ConfigError, or Fault `members.damaged`
 */
export const membersOf = async (
  { proposalMembersFile: file }: GatewayConfig,
  access: AccessConfig,
  { workRoot }: StorageConfig,
  answers: MemberAnswers,
  clock: Clock,
): Promise<ProposalMembers> => {
  const hook = membersHookOf(access, { file, workRoot });
  if (hook !== undefined) return new MembersHook(hook, answers, clock);
  return file === undefined ? nobodysProposals : MembersFile.open(file);
};

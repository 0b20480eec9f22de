import { identityRefused, ownerOfFolder, type FolderOwner } from '@fleet/attempt-runner';
import type { RunOwner } from '@fleet/contracts/runs';
import type { Identity, KubernetesSettings } from './kubernetes-settings';

/** The largest uid or gid that Kubernetes takes (apimachinery, `IsValidUserID`). */
const largestId = 2 ** 31 - 1;

/**
 * Whom a proposal's programs run as: as its entry says, else as the owner of its folder, else as the default.
 * @throws Fault `run.identity_refused` when the folder is root's or of an id that Kubernetes refuses, or cannot be looked at.
 */
export const identityOf = (
  { identity }: Pick<KubernetesSettings, 'identity'>,
  owner: Pick<RunOwner, 'proposal' | 'beamline'>,
  look?: FolderOwner,
): Identity => {
  if (Object.hasOwn(identity.proposals, owner.proposal)) {
    return identity.proposals[owner.proposal] ?? identity.default;
  }
  if (identity.ofFolder === '') return identity.default;
  const { uid, gid, folder } = ownerOfFolder(identity.ofFolder, owner, look);
  if (uid > largestId || gid > largestId) {
    throw identityRefused(
      `${folder} belongs to ${uid}:${gid}, and Kubernetes accepts no uid or gid above ${largestId}`,
    );
  }
  return { uid, gid, supplementalGroups: [] };
};

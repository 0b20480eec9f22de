import { identityRefused, ownerOfFolder, type FolderOwner } from '@fleet/attempt-runner';
import type { RunOwner } from '@fleet/contracts/runs';
import type { Identity, KubernetesSettings } from './kubernetes-settings';

/** The largest uid or gid that Kubernetes accepts (apimachinery, `IsValidUserID`). */
const largestId = 2 ** 31 - 1;

/**
 * The identity for a proposal's programs: from its entry, otherwise from the owner of its folder, otherwise the
 * default.
 * @throws Fault `run.identity_refused` if the folder belongs to root, has an id that Kubernetes rejects, or cannot be
 *   read
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

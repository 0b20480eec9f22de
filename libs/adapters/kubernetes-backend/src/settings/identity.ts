import { statSync } from 'node:fs';
import { Fault, type RunOwner } from '@fleet/contracts';
import type { Identity, KubernetesSettings } from './kubernetes-settings';

/** The owner and group of a folder. */
export type FolderOwner = (folder: string) => { readonly uid: number; readonly gid: number };

/** The largest uid or gid that Kubernetes takes (apimachinery, `IsValidUserID`). */
const largestId = 2 ** 31 - 1;

const ownerOf: FolderOwner = (folder) => statSync(folder);

/**
 * Whom a proposal's programs run as: as its entry says, else as the owner of its folder, else as the default.
 * @throws Fault `run.identity_refused` when the folder is root's or of an id that Kubernetes refuses, or cannot be looked at.
 */
export const identityOf = (
  { identity }: Pick<KubernetesSettings, 'identity'>,
  owner: Pick<RunOwner, 'proposal' | 'beamline'>,
  folderOwner: FolderOwner = ownerOf,
): Identity => {
  if (Object.hasOwn(identity.proposals, owner.proposal)) {
    return identity.proposals[owner.proposal] ?? identity.default;
  }
  if (identity.ofFolder === '') return identity.default;
  const folder = identity.ofFolder
    .replaceAll('{proposal}', pathPart(owner.proposal))
    .replaceAll('{beamline}', pathPart(owner.beamline));
  const { uid, gid } = ownerOfFolder(folder, folderOwner);
  if (uid === 0 || gid === 0) {
    throw refused(`${folder} belongs to root, and no program runs as root`);
  }
  if (uid > largestId || gid > largestId) {
    throw refused(`${folder} belongs to ${uid}:${gid}, and Kubernetes accepts no uid or gid above ${largestId}`);
  }
  return { uid, gid, supplementalGroups: [] };
};

const ownerOfFolder = (folder: string, folderOwner: FolderOwner): ReturnType<FolderOwner> => {
  try {
    return folderOwner(folder);
  } catch (cause) {
    throw refused(`the owner of ${folder} is unknown, so there is no user to run as`, cause);
  }
};

/** A name that leads to another folder is nobody's. */
const pathPart = (name: string): string => {
  if (name === '' || name.startsWith('.') || name.includes('/') || name.includes('\0')) {
    throw refused(`"${name}" is not a folder name`);
  }
  return name;
};

const refused = (message: string, cause?: unknown): Fault =>
  new Fault('run.identity_refused', 'caller', message, cause === undefined ? {} : { cause });

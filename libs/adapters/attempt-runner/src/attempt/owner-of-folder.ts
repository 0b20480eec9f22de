import { statSync } from 'node:fs';
import { Fault } from '@fleet/contracts/faults';
import type { RunOwner } from '@fleet/contracts/runs';

/** An account of the operating system. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The owner and group of a folder. */
export type FolderOwner = (folder: string) => Account;

const ownerOf: FolderOwner = (folder) => statSync(folder);

/**
 * Takes the account for a proposal's programs from a folder: its owner and group.
 * @param template path of the folder; `{proposal}` and `{beamline}` stand for those of the run
 * @throws Fault `run.identity_refused` if the folder belongs to root or cannot be read
 */
export const ownerOfFolder = (
  template: string,
  { proposal, beamline }: Pick<RunOwner, 'proposal' | 'beamline'>,
  look: FolderOwner = ownerOf,
): Account & { readonly folder: string } => {
  const folder = template.replaceAll(/\{(proposal|beamline)\}/g, (_, name) =>
    pathPart(name === 'proposal' ? proposal : beamline),
  );
  const { uid, gid } = lookAt(folder, look);
  if (uid === 0 || gid === 0) throw identityRefused(`${folder} belongs to root, and no program runs as root`);
  return { uid, gid, folder };
};

const lookAt = (folder: string, look: FolderOwner): Account => {
  try {
    return look(folder);
  } catch (cause) {
    throw identityRefused(`the owner of ${folder} is unknown, so there is no user to run as`, cause);
  }
};

/** Rejects a name that would lead to another folder. */
const pathPart = (name: string): string => {
  if (name === '' || name.startsWith('.') || name.includes('/') || name.includes('\0')) {
    throw identityRefused(`"${name}" is not a folder name`);
  }
  return name;
};

export const identityRefused = (message: string, cause?: unknown): Fault =>
  new Fault('run.identity_refused', 'caller', message, cause === undefined ? {} : { cause });

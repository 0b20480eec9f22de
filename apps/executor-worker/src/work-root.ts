import { realpathSync } from 'node:fs';
import { errnoOf } from '@fleet/contracts/faults';
import { hasHardLinks } from '@fleet/attempt-runner';
import { ConfigError, type StorageConfig } from '@fleet/config';

/**
 * The resolved path of the work root.
 * @throws ConfigError if attempts could not be claimed, because its file system has no hard links
 */
export const usableWorkRoot = (
  { workRoot }: Pick<StorageConfig, 'workRoot'>,
  onWarning: (message: string) => void,
): string => {
  const folder = realpathSync(workRoot);
  if (mayHaveHardLinks(folder, onWarning)) return folder;
  const reason = `is ${folder}, whose file system has no hard links; attempts are claimed by hard links`;
  throw new ConfigError([
    { variable: 'FLEET_WORK_ROOT', reason, allowed: 'ext4, XFS, NFS, Lustre, GPFS; not CIFS or FAT' },
  ]);
};

/** Folders of proposals may exist already, in a root owned by another user. */
const mayHaveHardLinks = (folder: string, onWarning: (message: string) => void): boolean => {
  try {
    return hasHardLinks(folder);
  } catch (error) {
    onWarning(`whether ${folder} has hard links could not be tested: ${errnoOf(error) ?? String(error)}`);
    return true;
  }
};

import { realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { UploadRules } from '@fleet/contracts/uploads';
import { ConfigError } from './config.error';
import { dataFoldersOf } from './data-roots';
import type { StorageConfig } from './sections';
import type { UploadsConfig } from './uploads-section';

/** The upload folder and its limits. */
export interface UploadSettings {
  readonly root: string;
  readonly rules: UploadRules;
}

const MIB = 1024 * 1024;

const lies = (inside: string, path: string): boolean => {
  const way = relative(realpathSync(inside), realpathSync(path));
  return !isAbsolute(way) && way.split('/')[0] !== '..';
};

/**
 * The upload settings; undefined if uploads are disabled.
 * @throws ConfigError if the folder is outside all data roots, or among results
 */
export const uploadsOf = (
  { root, maxFileMib, maxDayMib, keepHours }: UploadsConfig,
  storage: Pick<StorageConfig, 'dataRoots' | 'sharedRoots' | 'workRoot'>,
): UploadSettings | undefined => {
  if (root === undefined) return undefined;
  const allowed = 'one of FLEET_DATA_ROOTS or a folder in one, outside FLEET_WORK_ROOT';
  const refused = (reason: string): ConfigError =>
    new ConfigError([{ variable: 'FLEET_UPLOAD_ROOT', reason, allowed }]);
  const { workRoot } = storage;
  if (!dataFoldersOf(storage).some((one) => lies(one, root)))
    throw refused(`"${root}" is outside every FLEET_DATA_ROOTS folder, so uploaded files could not be submitted`);
  if (lies(workRoot, root) || lies(root, workRoot))
    throw refused(`"${root}" and FLEET_WORK_ROOT ("${workRoot}") lie in one another`);
  return {
    root: realpathSync(root),
    rules: { maxFileBytes: maxFileMib * MIB, maxDayBytes: maxDayMib * MIB, keepHours },
  };
};

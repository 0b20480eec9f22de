import { realpathSync } from 'node:fs';
import { dataFoldersOf, type StorageConfig } from '@fleet/config';

/**
 * Folders that may contain submitted files, resolved like those files' paths. The settings have been checked: the
 * folders exist.
 */
export const inputRoots = (storage: StorageConfig): readonly string[] => [
  ...new Set([...dataFoldersOf(storage), storage.workRoot].map((root) => realpathSync(root))),
];

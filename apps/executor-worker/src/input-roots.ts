import { realpathSync } from 'node:fs';
import { dataFoldersOf, type StorageConfig } from '@fleet/config';

/** Folders that submitted files may come from, resolved as those files' paths are. The settings have been checked: they exist. */
export const inputRoots = (storage: StorageConfig): readonly string[] => [
  ...new Set([...dataFoldersOf(storage), storage.workRoot].map((root) => realpathSync(root))),
];

import { realpathSync } from 'node:fs';
import type { StorageConfig } from '@fleet/config';

/** Folders that submitted files may come from, resolved as those files' paths are. The settings have been checked: they exist. */
export const inputRoots = ({ dataRoots, workRoot }: StorageConfig): readonly string[] => [
  ...new Set([...dataRoots, workRoot].map((root) => realpathSync(root))),
];

import { dataRootForm, proposalsRoot, readDataRoot, sharedRoot, type DataRoot } from '@fleet/access';
import { ConfigError } from './config.error';
import type { StorageConfig } from './sections';

type DataFolders = Pick<StorageConfig, 'dataRoots' | 'sharedRoots'>;

/** The texts were validated. */
const rootOf = (text: string): DataRoot => {
  const root = readDataRoot(text);
  if (typeof root === 'string') throw new TypeError(`${text} ${root}`);
  return root;
};

/**
 * Folders of submitted files, and who may read them.
 * @param uploads folder of uploads, with a subfolder for each proposal
 * @throws ConfigError if there are none
 */
export const dataRootsOf = (
  { dataRoots = [], sharedRoots = [] }: DataFolders,
  uploads?: string,
): readonly DataRoot[] => {
  const roots = [...dataRoots.map(rootOf), ...sharedRoots.map(sharedRoot)];
  if (roots.length === 0)
    throw new ConfigError([
      { variable: 'FLEET_DATA_ROOTS', reason: 'is missing, and so is FLEET_SHARED_ROOTS', allowed: dataRootForm },
    ]);
  return uploads === undefined ? roots : [...roots, proposalsRoot(uploads, 'proposals')];
};

/** Folders that contain submitted files. */
export const dataFoldersOf = (storage: DataFolders): readonly string[] => [
  ...new Set(dataRootsOf(storage).map(({ folder }) => folder)),
];

/**
 * With keys, files must belong to proposals.
 * @throws ConfigError for a root without a proposal
 */
export const checkOwners = ({ dataRoots = [] }: DataFolders): void => {
  const undivided = dataRoots.filter((text) => rootOf(text).of === 'administrators');
  if (undivided.length === 0) return;
  const reason = `${undivided.map((text) => `"${text}"`).join(' and ')} does not identify the owners of folders, and there are API keys: only administrators could submit from there`;
  const allowed = `${undivided[0] ?? ''}/{proposal}, if its folders are named after proposals, or a path with {beamline}, {year} or * before it (docs/access.md#raw-data); FLEET_SHARED_ROOTS for files that all users may read`;
  throw new ConfigError([{ variable: 'FLEET_DATA_ROOTS', reason, allowed }]);
};

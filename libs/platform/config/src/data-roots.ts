import { dataRootForm, proposalsRoot, readDataRoot, sharedRoot, type DataRoot } from '@fleet/access';
import { ConfigError } from './config.error';
import type { StorageConfig } from './sections';

type DataFolders = Pick<StorageConfig, 'dataRoots' | 'sharedRoots'>;

/** The texts have been checked. */
const rootOf = (text: string): DataRoot => {
  const root = readDataRoot(text);
  if (typeof root === 'string') throw new TypeError(`${text} ${root}`);
  return root;
};

/**
 * Where submitted files lie, and whose they are.
 * @param uploads where uploads go: a folder for each proposal
 * @throws ConfigError where there are none
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

/** Folders in which submitted files lie. */
export const dataFoldersOf = (storage: DataFolders): readonly string[] => [
  ...new Set(dataRootsOf(storage).map(({ folder }) => folder)),
];

/**
 * With keys, files belong to proposals.
 * @throws ConfigError for a root that does not say to which
 */
export const checkOwners = ({ dataRoots = [] }: DataFolders): void => {
  const undivided = dataRoots.filter((text) => rootOf(text).of === 'administrators');
  if (undivided.length === 0) return;
  const reason = `${undivided.map((text) => `"${text}"`).join(' and ')} does not say which folders are whose, and there are API keys: only administrators could submit from there`;
  const allowed = `${undivided[0] ?? ''}/{proposal}, if the folders in it are named after proposals, or a path with {beamline}, {year} or * before it (docs/access.md#raw-data); FLEET_SHARED_ROOTS for files that everybody may read`;
  throw new ConfigError([{ variable: 'FLEET_DATA_ROOTS', reason, allowed }]);
};

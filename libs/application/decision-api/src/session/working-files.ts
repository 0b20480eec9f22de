import { baseName } from '@fleet/files';

/** Folders and name prefixes of programs' working files (phenix-agent.md#intermediate-files). */
const workingFolder = /^(?:TEMP[_\d]*|temp[_\d]*|scratch)$/;
const workingName = /^(?:EDITED_|TEMP_)/;

const foldersOf = (path: string): readonly string[] => path.split('/').slice(0, -1);

/** Number of folders that all paths share: a client that keeps everything in a scratch folder has no working files there. */
const commonDepth = (paths: readonly string[]): number => {
  const [first = [], ...others] = paths.map(foldersOf);
  return others.reduce((depth, folders) => {
    const apart = first.slice(0, depth).findIndex((folder, index) => folders[index] !== folder);
    return apart < 0 ? Math.min(depth, first.length) : apart;
  }, first.length);
};

/** Detects programs' working files among all paths of a client, by folder or name. */
export const workingFileTest = (paths: readonly string[]): ((path: string) => boolean) => {
  const depth = commonDepth(paths);
  return (path) =>
    workingName.test(baseName(path)) ||
    foldersOf(path)
      .slice(depth)
      .some((folder) => workingFolder.test(folder));
};

/** Maximum number of listed names. */
const maxNamed = 5;

/** One sentence for the client, none if no file is ignored. */
export const workingFilesWarning = (left: readonly string[]): readonly string[] => {
  if (left.length === 0) return [];
  const more = left.length > maxNamed ? ` and ${left.length - maxNamed} more` : '';
  const named = `${left.slice(0, maxNamed).join(', ')}${more}`;
  return [
    `Left out as working files of programs (folders TEMP, TEMP0, temp and scratch, names that begin with EDITED_ or TEMP_): ${named}. ` +
      'To use one, move or rename it.',
  ];
};

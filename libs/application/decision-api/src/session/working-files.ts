import { baseName } from '@fleet/files';

/** Folders where programs keep working files, and how the names of such files begin (phenix-agent.md#intermediate-files). */
const workingFolder = /^(?:TEMP[_\d]*|temp[_\d]*|scratch)$/;
const workingName = /^(?:EDITED_|TEMP_)/;

const foldersOf = (path: string): readonly string[] => path.split('/').slice(0, -1);

/** How many folders all paths have in common: who keeps everything in a scratch folder does not work there for a program. */
const commonDepth = (paths: readonly string[]): number => {
  const [first = [], ...others] = paths.map(foldersOf);
  return others.reduce((depth, folders) => {
    const apart = first.slice(0, depth).findIndex((folder, index) => folders[index] !== folder);
    return apart < 0 ? Math.min(depth, first.length) : apart;
  }, first.length);
};

/** Tells the working files of programs among all paths that a client names, by their folder or their name. */
export const workingFileTest = (paths: readonly string[]): ((path: string) => boolean) => {
  const depth = commonDepth(paths);
  return (path) =>
    workingName.test(baseName(path)) ||
    foldersOf(path)
      .slice(depth)
      .some((folder) => workingFolder.test(folder));
};

/** Named one by one up to here. */
const maxNamed = 5;

/** One sentence for the client, none where nothing is left out. */
export const workingFilesWarning = (left: readonly string[]): readonly string[] => {
  if (left.length === 0) return [];
  const more = left.length > maxNamed ? ` and ${left.length - maxNamed} more` : '';
  const named = `${left.slice(0, maxNamed).join(', ')}${more}`;
  return [
    `Left out as working files of programs (folders TEMP, TEMP0, temp and scratch, names that begin with EDITED_ or TEMP_): ${named}. ` +
      'To use one, move or rename it.',
  ];
};

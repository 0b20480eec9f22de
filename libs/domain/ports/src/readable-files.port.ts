import type { Principal } from '@fleet/contracts/access';
import type { FolderPattern, ManifestEntry } from '@fleet/manifest';

export const READABLE_BY = Symbol('ReadableBy');

/** The files that a principal may read. */
export type ReadableBy = (principal: Principal) => ReadableFiles;

/** A file or folder that a principal may read. */
export interface ReadablePath {
  /** Links resolved. */
  readonly path: string;
  /** The folder that it lies in, or that it is, in which they may read everything. */
  readonly root: string;
}

/**
 * What one principal may read below the data roots and the work root. Everything that reads a path of a submitter asks here. A file of another
 * proposal does not exist for them.
 */
export interface ReadableFiles {
  /** Whether a path, as it is given, lies in one of the roots by its name. Other paths are not looked up. */
  covers(given: string): Promise<boolean>;
  /**
   * Follows the links of a path. `nothing` where there is nothing, or nothing of theirs: the two are not told apart. Whoever may read everything
   * learns that a path leads `outside`.
   * @throws an error of the system where the service may not look at what is theirs, or a disk does not answer
   */
  resolve(given: string): Promise<ReadablePath | 'nothing' | 'outside'>;
  /**
   * The folder below which they may read everything, in which a path lies.
   * @param path links resolved
   * @returns undefined where it is not theirs, or not uploaded whole yet
   */
  rootOf(path: string): Promise<string | undefined>;
  /** Whether a path of a record, whose links were resolved, is theirs. A file that is missing meanwhile is judged by its name. */
  mayHold(path: string): Promise<boolean>;
  /** Folders in which everything lies that they may read: roots, or the folders of their proposals. */
  beginnings(): Promise<readonly string[]>;
  /** Where the links of a path lead, whoever may read it; for comparisons only. @throws an error of the system */
  leadsTo(path: string): Promise<string>;
  /**
   * Names of the files in a folder, without hidden ones.
   * @param most one name more than that says that there are more
   * @throws an error of the system
   */
  namesIn(folder: string, most: number): Promise<readonly string[]>;
  /**
   * The first bytes of a file, through no link.
   * @throws Fault of the caller where it is not a regular file; an error of the system
   */
  firstBytes(file: ReadablePath, bytes: number): Promise<Buffer>;
  /**
   * The files that fit a pattern, each a row with its variables.
   * @throws Fault `manifest.invalid` where the pattern begins outside, or leads through too many files
   */
  fitting(pattern: FolderPattern): AsyncIterable<ManifestEntry>;
}

import type { Principal } from '@fleet/contracts/access';
import type { FolderEntry } from '@fleet/contracts/submissions';
import type { FolderPattern, ManifestEntry } from '@fleet/manifest';

export const READABLE_BY = Symbol('ReadableBy');

/** The files that a principal may read. */
export type ReadableBy = (principal: Principal) => ReadableFiles;

/** A file or folder that a principal may read. */
export interface ReadablePath {
  /** Links resolved. */
  readonly path: string;
  /** The readable folder that contains it, or that it is. */
  readonly root: string;
}

/** A name in a folder. */
export interface FolderName {
  readonly name: string;
  /** False for a link to a folder. */
  readonly isFolder: boolean;
}

/**
 * What one principal may read below the data roots and the work root. Every read of a submitter's path must be checked here. Files of other
 * proposals appear as missing.
 */
export interface ReadableFiles {
  /** Whether a path, as given, is inside one of the roots by its name. Other paths are not looked up. */
  covers(given: string): Promise<boolean>;
  /**
   * Follows the links of a path. `nothing` if it does not exist or is not readable for the principal: the two are indistinguishable. A
   * principal who may read everything gets `outside` for a path outside the roots.
   * @throws a system error if the service lacks permission for a readable path, or a disk does not respond
   */
  resolve(given: string): Promise<ReadablePath | 'nothing' | 'outside'>;
  /**
   * The readable folder that contains a path.
   * @param path links resolved
   * @returns undefined if the principal may not read it, or its upload is incomplete
   */
  rootOf(path: string): Promise<string | undefined>;
  /** Whether the principal may read a path of a record, whose links were resolved. A missing file is judged by its path. */
  mayHold(path: string): Promise<boolean>;
  /** Folders that contain everything that the principal may read: roots, or the folders of their proposals. */
  beginnings(): Promise<readonly string[]>;
  /** The target of a path's links, without a permission check; only for comparisons. @throws a system error */
  leadsTo(path: string): Promise<string>;
  /** What a folder contains, without hidden names. @throws a system error */
  entriesIn(folder: string): AsyncIterable<FolderName>;
  /**
   * The file or folder at a path below a readable folder, or at the target of its link.
   * @returns undefined if it is neither, or the link leads to where the principal may not read
   * @throws a system error
   */
  entryAt(path: string): Promise<FolderEntry | undefined>;
  /**
   * The first bytes of a file, through no link.
   * @throws Fault of the caller if it is not a regular file; a system error
   */
  firstBytes(file: ReadablePath, bytes: number): Promise<Buffer>;
  /**
   * The files that match a pattern, each a row with its variables.
   * @throws Fault `manifest.invalid` if the pattern begins outside, or matches too many files
   */
  fitting(pattern: FolderPattern): AsyncIterable<ManifestEntry>;
}

import { lstat } from 'node:fs/promises';
import { relative } from 'node:path';
import { isFault, type Fault } from '@fleet/contracts/faults';
import type { SessionFile } from '@fleet/contracts/sessions';
import { listOutputs, type OutputListing, type OutputRank } from '@fleet/file-inspection';
import type { FileInspector } from '@fleet/ports';
import { unwanted } from './log-file';

/** The output files of a program, and their problems. */
export interface CollectedOutputs {
  readonly files: readonly SessionFile[];
  /** One sentence per unusable file. */
  readonly warnings: readonly string[];
  /** What was skipped, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Which files are collected, in which order, and until when. */
export interface CollectedRun {
  readonly origin: { readonly cycle: number; readonly program: string };
  readonly rank: OutputRank;
  /** Checked between files; true if they are no longer needed. */
  readonly isUnwanted: () => Promise<boolean>;
}

/** Maximum reports and pictures stored in the record beside the crystallographic files. */
const maxOthers = 50;
/** Maximum warnings about single files. */
const maxWarnings = 20;

const costly: ReadonlySet<string> = new Set(['file.inspection_timeout', 'file.inspection_failed']);
/** Number of files that may exceed a reader's time limit before the rest is skipped. */
const maxFailures = 3;

const isCrystallographic = ({ facts }: SessionFile): boolean => facts.format !== 'text' && facts.format !== 'unknown';

const inOrderOf = (paths: readonly string[]): ((one: SessionFile, other: SessionFile) => number) => {
  const places = new Map(paths.map((path, index) => [path, index]));
  return (one, other) => (places.get(one.path) ?? 0) - (places.get(other.path) ?? 0);
};

const exists = (folder: string): Promise<boolean> =>
  lstat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

const cutWords = (
  { program }: CollectedRun['origin'],
  { paths, leftOut, truncated, closed }: OutputListing,
): readonly string[] => [
  ...(leftOut > 0
    ? [
        `${program} left ${paths.length + leftOut} files. The ${paths.length} most useful by name are inspected; ` +
          `${leftOut} are not in the record and stay in its folder.`,
      ]
    : []),
  ...(truncated
    ? [`${program} left more entries than are inspected; the last ones in its folders are not in the record.`]
    : []),
  ...(closed.length > 0
    ? [`${program} closed ${closed.length} of its folders; their contents are not in the record.`]
    : []),
];

/** Finds and inspects the files in an attempt's folder. */
export class OutputCollector {
  constructor(private readonly inspector: FileInspector) {}

  /**
   * A damaged file is skipped with a warning: the rest of the run may be good.
   * @throws Fault `analyse.unwanted` if they are no longer needed
   */
  async collect(folder: string, { origin, rank, isUnwanted }: CollectedRun): Promise<CollectedOutputs> {
    if (!(await exists(folder))) return { files: [], warnings: [], leftOut: [] };
    const listing = await listOutputs(folder, rank);
    const looked = await this.inspectAll(folder, listing.paths, { origin, rank, isUnwanted });
    const rankOf = ({ path }: SessionFile): number => rank(relative(folder, path));
    const files = looked.files.toSorted(inOrderOf(listing.paths));
    const others = files.filter((file) => !isCrystallographic(file)).sort((one, other) => rankOf(one) - rankOf(other));
    const inspected = new Set(others.slice(0, maxOthers));
    return {
      files: [...files.filter(isCrystallographic), ...files.filter((file) => inspected.has(file))],
      warnings: shortened(looked.warnings),
      leftOut: [...cutWords(origin, listing), ...looked.leftOut, ...othersWords(origin, others.length)],
    };
  }

  /** In order of rank; stops after a few files that exceed the reader's time limit. */
  private async inspectAll(
    folder: string,
    paths: readonly string[],
    { origin, rank, isUnwanted }: CollectedRun,
  ): Promise<CollectedOutputs> {
    const rankOf = new Map(paths.map((path) => [path, rank(relative(folder, path))]));
    const wanted = paths.toSorted((one, other) => (rankOf.get(one) ?? 0) - (rankOf.get(other) ?? 0));
    const [files, warnings]: [SessionFile[], string[]] = [[], []];
    let failures = 0;
    for (const [index, path] of wanted.entries()) {
      if (await isUnwanted()) throw unwanted();
      const found = await this.inspect(path, origin, folder);
      if (found instanceof Error) {
        warnings.push(`${found.message}; the file is not used.`);
        if (costly.has(found.code)) failures += 1;
      } else if (found !== undefined) files.push(found);
      const left = wanted.length - index - 1;
      if (failures < maxFailures || left === 0) continue;
      const why = `${failures} files could not be read in time; the ${left} after them are not inspected.`;
      return { files, warnings, leftOut: [why] };
    }
    return { files, warnings, leftOut: [] };
  }

  /** The file, or why it is unusable; undefined for an empty file, which is common. */
  private async inspect(
    path: string,
    origin: { readonly cycle: number; readonly program: string },
    folder: string,
  ): Promise<SessionFile | Fault | undefined> {
    try {
      return await this.inspector.inspect(path, origin, folder);
    } catch (error) {
      if (!isFault(error) || !error.code.startsWith('file.')) throw error;
      return error.code === 'file.empty' ? undefined : error;
    }
  }
}

const othersWords = ({ program }: CollectedRun['origin'], count: number): readonly string[] =>
  count > maxOthers
    ? [`${program} left ${count} reports and other files; ${count - maxOthers} of them are not in the record.`]
    : [];

const shortened = (warnings: readonly string[]): readonly string[] =>
  warnings.length <= maxWarnings
    ? warnings
    : [...warnings.slice(0, maxWarnings), `${warnings.length - maxWarnings} more files cannot be used.`];

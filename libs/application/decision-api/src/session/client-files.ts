import type { FileFacts, SessionFile } from '@fleet/contracts/sessions';
import { baseName, companionsAmong, matchesReference } from '@fleet/files';
import type { DecideRequest, HistoryEntry } from '../request/read-request';
import { factsByName } from './facts-by-name';
import { workingFilesWarning, workingFileTest } from './working-files';

/** Facts of readable files, by path; empty on a server. */
export type KnownFacts = ReadonlyMap<string, FileFacts>;

/** A client's files, separated into submitted ones and the outputs of each cycle of the history (by index). */
export interface ClientFiles {
  readonly submitted: readonly SessionFile[];
  readonly written: readonly (readonly SessionFile[])[];
  /** Paths of outputs that the client no longer has. */
  readonly missing: ReadonlySet<string>;
  /** Ignored files, one sentence each. */
  readonly warnings: readonly string[];
}

type FlagsOf = (path: string) => boolean | undefined;

/** The client's statement about a file: by its path, or by its name if only that is given; the first one counts. */
const statedFlags = (flags: readonly (readonly [string, boolean])[]): FlagsOf => {
  const positions = new Map(flags.map(([reference], position) => [reference, position]));
  return (path) => {
    const position = Math.min(positions.get(path) ?? Infinity, positions.get(baseName(path)) ?? Infinity);
    return flags[position]?.[1];
  };
};

/** Whether a file has R-free flags, according to the client; if a file is locked, only that one has them. */
const flagsFinder = ({ session_state }: DecideRequest, outputs: ReadonlySet<string>): FlagsOf => {
  const { rfree_mtz, mtz_rfree_map, input_mtz_has_rfree } = session_state;
  if (rfree_mtz !== null) return (path) => matchesReference(path, rfree_mtz);
  const flags = statedFlags(Object.entries(mtz_rfree_map));
  return (path) => flags(path) ?? (outputs.has(path) ? undefined : (input_mtz_has_rfree ?? undefined));
};

/** Every path in the request, each once: its files, the locked R-free file, the best files. */
const namedPaths = ({ files, session_state: { rfree_mtz, best_files } }: DecideRequest): readonly string[] => {
  const named = [...(rfree_mtz === null ? [] : [rfree_mtz]), ...Object.values(best_files).flat()];
  return [...new Set([...files, ...named.filter((reference) => reference.includes('/'))])];
};

/** The path under which the client lists a file; the name alone is enough if one side gives no folder. */
const listedFinder = (listed: readonly string[]): ((path: string) => string | undefined) => {
  const paths = new Set(listed);
  const byName = new Map(listed.toReversed().map((path) => [baseName(path), path]));
  return (path) => {
    if (paths.has(path)) return path;
    const named = byName.get(baseName(path));
    return named !== undefined && (!path.includes('/') || !named.includes('/')) ? named : undefined;
  };
};

type FindCycle = (path: string) => number | undefined;

/** The index of the cycle that wrote a file: `/s/sub_04_pdbtools/…` is an output of the fourth cycle, if that ran phenix.pdbtools. */
const cycleFinder = (history: readonly HistoryEntry[]): FindCycle => {
  const numbers = new Map(
    history.map(({ cycle, cycle_number, program }, index) => [
      `${String(cycle ?? cycle_number ?? index + 1)} ${program}`,
      index,
    ]),
  );
  return (path) => {
    const [, number, program] = /(?:^|\/)sub_(\d{1,9})_([^/]+)\/[^/]*$/.exec(path) ?? [];
    return program === undefined ? undefined : numbers.get(`${String(Number(number))} phenix.${program}`);
  };
};

/** Outputs of each cycle, with the companion files that the client has but does not list (phenix-agent.md#companion-files). */
const withCompanions = (
  outputs: readonly (readonly string[])[],
  listed: readonly string[],
  history: readonly HistoryEntry[],
): readonly (readonly string[])[] => {
  const known = new Set(outputs.flat());
  const find = companionsAmong(listed.filter((path) => !known.has(path)));
  const cycleOf = cycleFinder(history);
  const found = outputs.map((): string[] => []);
  for (const [index, own] of outputs.entries()) {
    for (const path of find(own).filter((one) => !known.has(one))) {
      known.add(path);
      found[cycleOf(path) ?? index]?.push(path);
    }
  }
  return outputs.map((own, index) => [...own, ...(found[index] ?? [])]);
};

/** Files of the history that the client does not have, with the cycles that wrote them; at most this many names. */
const mostNamed = 20;

const missingWarning = (written: readonly (readonly string[])[], missing: ReadonlySet<string>): readonly string[] => {
  const named = written.flatMap((paths, index) =>
    paths.filter((path) => missing.has(path)).map((path) => `${baseName(path)} (cycle ${String(index + 1)})`),
  );
  if (named.length === 0) return [];
  const more = named.length > mostNamed ? ` and ${String(named.length - mostNamed)} more` : '';
  return [
    `files lacks what the history names: ${named.slice(0, mostNamed).join(', ')}${more}; the decision works with the files that are there`,
  ];
};

/**
 * Assigns the client's files to their origin. Working files of programs are ignored, except the locked R-free file; files of the history that
 * the client does not have are missing.
 */
export const clientFiles = (request: DecideRequest, known: KnownFacts): ClientFiles => {
  const { history, session_state } = request;
  const named = namedPaths(request);
  const historyOutputs = history.map(({ output_files }) => output_files);
  const isWorking = workingFileTest([...named, ...historyOutputs.flat()]);
  const locked = session_state.rfree_mtz ?? '';
  const isLeftOut = (path: string): boolean => isWorking(path) && !matchesReference(path, locked);
  const listed = named.filter((path) => !isLeftOut(path));
  const find = listedFinder(listed);
  const own = historyOutputs.map((paths) => paths.filter((path) => !isLeftOut(path)).map((path) => find(path) ?? path));
  const written = withCompanions(own, listed, history);
  const outputs = new Set(written.flat());
  const flagsOf = flagsFinder(request, outputs);
  const fileOf = (path: string, cycle: number, program?: string): SessionFile => ({
    path,
    size: 0,
    cycle,
    ...(program === undefined ? {} : { program }),
    facts: known.get(path) ?? factsByName(path, flagsOf(path)),
  });
  const missing = new Set([...outputs].filter((path) => find(path) === undefined));
  return {
    submitted: listed.filter((path) => !outputs.has(path)).map((path) => fileOf(path, 0)),
    written: written.map((paths, index) => paths.map((path) => fileOf(path, index + 1, history[index]?.program))),
    missing,
    warnings: [
      ...workingFilesWarning([...new Set([...named, ...historyOutputs.flat()])].filter(isLeftOut)),
      ...missingWarning(written, missing),
    ],
  };
};

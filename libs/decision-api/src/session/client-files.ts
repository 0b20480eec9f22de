import type { FileFacts, SessionFile } from '@fleet/contracts';
import { baseName } from '@fleet/files';
import type { DecideRequest } from '../request/decide-request';
import { factsByName } from './facts-by-name';

/** Facts of files that could be read, by path; on a server there are none. */
export type KnownFacts = ReadonlyMap<string, FileFacts>;

/** The files of a client, told apart: what was submitted, and what each cycle of the history wrote (by index). */
export interface ClientFiles {
  readonly submitted: readonly SessionFile[];
  readonly written: readonly (readonly SessionFile[])[];
}

type FlagsOf = (path: string) => boolean | undefined;

/** What the client said of this file: by its path, or by its name where only that is given; what it said first counts. */
const toldFlags = (told: readonly (readonly [string, boolean])[]): FlagsOf => {
  const places = new Map(told.map(([said], place) => [said, place]));
  return (path) => {
    const place = Math.min(places.get(path) ?? Infinity, places.get(baseName(path)) ?? Infinity);
    return told[place]?.[1];
  };
};

/** Whether a file has R-free flags, as far as the client said; the locked file alone has them when there is one. */
const flagsFinder = ({ session_state }: DecideRequest, outputs: ReadonlySet<string>): FlagsOf => {
  const { rfree_mtz, mtz_rfree_map, input_mtz_has_rfree } = session_state;
  if (rfree_mtz !== null)
    return (path) => path === rfree_mtz || (!rfree_mtz.includes('/') && baseName(path) === rfree_mtz);
  const told = toldFlags(Object.entries(mtz_rfree_map));
  return (path) => told(path) ?? (outputs.has(path) ? undefined : (input_mtz_has_rfree ?? undefined));
};

/** Every path that the request names, each once: its files, the locked R-free file, the best files. */
const namedPaths = ({ files, session_state: { rfree_mtz, best_files } }: DecideRequest): readonly string[] => {
  const named = [...(rfree_mtz === null ? [] : [rfree_mtz]), ...Object.values(best_files).flat()];
  return [...new Set([...files, ...named.filter((said) => said.includes('/'))])];
};

/** Puts the client's files where they came from. Outputs that a client no longer lists count too. */
export const clientFiles = (request: DecideRequest, known: KnownFacts): ClientFiles => {
  const outputs = new Set(request.history.flatMap(({ output_files }) => output_files));
  const flagsOf = flagsFinder(request, outputs);
  const fileOf = (path: string, cycle: number, program?: string): SessionFile => ({
    path,
    size: 0,
    cycle,
    ...(program === undefined ? {} : { program }),
    facts: known.get(path) ?? factsByName(path, flagsOf(path)),
  });
  return {
    submitted: namedPaths(request)
      .filter((path) => !outputs.has(path))
      .map((path) => fileOf(path, 0)),
    written: request.history.map(({ output_files, program }, index) =>
      output_files.map((path) => fileOf(path, index + 1, program)),
    ),
  };
};

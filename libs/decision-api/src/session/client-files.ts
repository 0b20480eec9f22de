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

/** Whether the client means this file: by its path, or by its name where only that is given. */
const means = (said: string, path: string): boolean =>
  said === path || (!said.includes('/') && said === baseName(path));

/** Whether a file has R-free flags, as far as the client said; the locked file alone has them when there is one. */
const flagsOf = (path: string, { session_state, history }: DecideRequest): boolean | undefined => {
  const { rfree_mtz, mtz_rfree_map, input_mtz_has_rfree } = session_state;
  if (rfree_mtz !== null) return means(rfree_mtz, path);
  const told = Object.entries(mtz_rfree_map).find(([said]) => means(said, path));
  if (told !== undefined) return told[1];
  const isOutput = history.some(({ output_files }) => output_files.includes(path));
  return isOutput ? undefined : (input_mtz_has_rfree ?? undefined);
};

/** Every path that the request names, each once: its files, the locked R-free file, the best files. */
const namedPaths = ({ files, session_state: { rfree_mtz, best_files } }: DecideRequest): readonly string[] => {
  const named = [...(rfree_mtz === null ? [] : [rfree_mtz]), ...Object.values(best_files).flat()];
  const missing = named.filter((said) => said.includes('/') && !files.includes(said));
  return [...new Set([...files, ...missing])];
};

/** Puts the client's files where they came from. Outputs that a client no longer lists count too. */
export const clientFiles = (request: DecideRequest, known: KnownFacts): ClientFiles => {
  const fileOf = (path: string, cycle: number, program?: string): SessionFile => ({
    path,
    size: 0,
    cycle,
    ...(program === undefined ? {} : { program }),
    facts: known.get(path) ?? factsByName(path, flagsOf(path, request)),
  });
  const outputs = new Set(request.history.flatMap(({ output_files }) => output_files));
  return {
    submitted: namedPaths(request)
      .filter((path) => !outputs.has(path))
      .map((path) => fileOf(path, 0)),
    written: request.history.map(({ output_files, program }, index) =>
      output_files.map((path) => fileOf(path, index + 1, program)),
    ),
  };
};

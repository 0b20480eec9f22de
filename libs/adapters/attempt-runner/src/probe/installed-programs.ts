import { join } from 'node:path';
import type { InstalledProgram } from '@fleet/contracts/service';
import { executableIn, type Ask } from './ask-program';
import { askKit, isKitLauncher } from './open-phenix';
import { binFoldersOf, phenixVersion } from './phenix';
import { askSimulated } from './simulated';

export interface ProbeOptions {
  /** Names of the programs that the agent knows, for example `phenix.refine`. */
  readonly programs: readonly string[];
  /** A PHENIX installation (the folder with `phenix_env.sh`), used before anything else. */
  readonly phenixFolder?: string;
  /** The open-phenix kit; its launchers are in `bin`. */
  readonly openPhenixFolder?: string;
  /** Folders in which executables are looked for: PATH, split. */
  readonly searchFolders: readonly string[];
  /** Called once per broken installation. */
  readonly onWarning: (message: string) => void;
}

/**
 * Lists the programs that can run here, each once: from a configured PHENIX, then PHENIX on PATH, then the open-phenix
 * kit, then stand-ins. A broken installation causes a warning and loses its programs; the probe continues.
 */
export const probePrograms = async (
  options: ProbeOptions,
  environment: Readonly<Record<string, string>>,
): Promise<readonly InstalledProgram[]> => {
  const ask: Ask = { environment, onWarning: options.onWarning };
  const found = new Map<string, InstalledProgram>();
  const add = (programs: readonly InstalledProgram[]): void => {
    for (const program of programs) {
      if (options.programs.includes(program.program) && !found.has(program.program)) {
        found.set(program.program, program);
      }
    }
  };
  for (const folder of phenixFolders(options)) add(await probePhenix(folder, options.programs, ask));
  const kitFolders = [
    ...(options.openPhenixFolder === undefined ? [] : [join(options.openPhenixFolder, 'bin')]),
    ...options.searchFolders,
  ];
  add(await askKit(kitFolders, ask));
  add(await askSimulated(kitFolders, ask));
  return [...found.values()];
};

const phenixFolders = ({ phenixFolder, searchFolders, onWarning }: ProbeOptions): readonly string[] => {
  if (phenixFolder === undefined) return searchFolders;
  const configured = binFoldersOf(phenixFolder);
  if (configured.length === 0) onWarning(`${phenixFolder} contains no PHENIX: no bin, build/bin or phenix_bin folder`);
  return [...configured, ...searchFolders];
};

const probePhenix = async (
  folder: string,
  names: readonly string[],
  ask: Ask,
): Promise<readonly InstalledProgram[]> => {
  const present = names
    .map((program) => ({ program, file: executableIn(folder, program) }))
    .filter((entry): entry is { program: string; file: string } => entry.file !== undefined)
    .filter(({ file }) => !isKitLauncher(file));
  if (present.length === 0) return [];
  const version = await phenixVersion(folder, ask);
  if (version === undefined) return [];
  return present.map(({ program, file }) => ({ program, provider: 'phenix', version, command: [file] }));
};

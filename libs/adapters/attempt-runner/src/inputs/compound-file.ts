import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunCompoundFile } from '@fleet/contracts/runs';

/**
 * Writes the SMILES of a ligand into a file beside the copies of a run's files, where it is removed with them, and gives its path to the argument
 * that names it. So neither the record of a command nor a list of processes shows a compound.
 * @param argv with the copies of the files
 * @param folder absolute, where the copies lie
 * @throws the system's error where it cannot be written (`ENOSPC`)
 */
export const withCompoundFile = (
  argv: readonly string[],
  file: RunCompoundFile | undefined,
  folder: string,
): readonly string[] => {
  if (file === undefined) return argv;
  const { argument, flag, name, smiles } = file;
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${smiles}\n`, { mode: 0o440 });
  return argv.with(argument, `${flag}=${path}`);
};

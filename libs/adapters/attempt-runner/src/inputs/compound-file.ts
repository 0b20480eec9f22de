import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunCompoundFile } from '@fleet/contracts/runs';

/**
 * Writes a ligand's SMILES into a file beside the input copies, which is removed with them, and puts its path into the
 * argument that names it. So neither the recorded command nor the process list shows the compound.
 * @param argv with the copies of the files
 * @param folder absolute path of the copies
 * @throws the system's error if the file cannot be written (`ENOSPC`)
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

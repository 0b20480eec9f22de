import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunParameterFile } from '@fleet/contracts/runs';

const valueOf = (token: string, parameter: string): string | undefined =>
  token.startsWith(`${parameter}=`) ? token.slice(parameter.length + 1) : undefined;

const quoted = (path: string): string => (path.startsWith('"') ? path : `"${path}"`);

/** Content of the file: one block for each argument that names a file. */
const parameterText = (argv: readonly string[], { flag, number, block }: RunParameterFile): string => {
  const count = argv.map((token) => valueOf(token, number)).find((value) => value !== undefined) ?? '1';
  const fill = (path: string, index: number): string =>
    block
      .replaceAll('{index}', String(index + 1))
      .replaceAll('{number}', count)
      .replaceAll('{path}', () => quoted(path));
  return argv
    .flatMap((token) => valueOf(token, flag) ?? [])
    .map(fill)
    .join('');
};

/**
 * Writes grouped arguments into a parameter file, which replaces them in the command.
 * @param argv with the copies of the files
 * @param folder absolute path of the copies
 * @throws the system's error if the file cannot be written (`ENOSPC`)
 */
export const withParameterFile = (
  argv: readonly string[],
  file: RunParameterFile | undefined,
  folder: string,
): readonly string[] => {
  if (file === undefined) return argv;
  const first = argv.findIndex((token) => valueOf(token, file.flag) !== undefined);
  if (first < 0) return argv;
  const path = join(folder, file.name);
  writeFileSync(path, parameterText(argv, file));
  return argv.flatMap((token, index) => {
    if (index === first) return [path];
    return [file.flag, file.number].some((name) => valueOf(token, name) !== undefined) ? [] : [token];
  });
};

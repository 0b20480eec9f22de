import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunInput } from '@fleet/contracts/runs';

/** `>P1;name` of PIR; the line after it is a title. */
const pirHeader = /^>\w\w;(?<name>.*)$/;

/** Converts one sequence file to FASTA: adds a missing name, drops PIR titles and terminators. */
const fastaOf = (text: string, name: string): string => {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());
  const isTitle = (index: number): boolean => pirHeader.test(lines[index - 1] ?? '');
  const sequence = lines
    .filter((line, index) => line !== '' && !isTitle(index))
    .map((line) => pirHeader.exec(line)?.groups?.['name']?.replace(/^/, '>') ?? line.replace(/\*$/, ''));
  return [...(sequence[0]?.startsWith('>') === true ? [] : [`>${name}`]), ...sequence, ''].join('\n');
};

/**
 * Joins copies with the same content type (sequences submitted in several files) into the first one, because the
 * program accepts one file, and drops the arguments of the others.
 * @param argv with the copies of the files
 * @param folder absolute path of the copies
 * @throws the system's error if the copy cannot be written (`ENOSPC`)
 */
export const withJoinedInputs = (
  argv: readonly string[],
  inputs: readonly RunInput[],
  folder: string,
): readonly string[] => {
  const dropped = new Set<number | undefined>();
  for (const slot of new Set(inputs.flatMap(({ joined }) => joined ?? []))) {
    const [first, ...others] = inputs.filter(({ joined }) => joined === slot);
    if (first === undefined || others.length === 0) continue;
    const pieces = [first, ...others].map(({ name }) =>
      fastaOf(readFileSync(join(folder, name), 'utf8'), basename(name)),
    );
    const target = join(folder, first.name);
    rmSync(target);
    writeFileSync(target, pieces.join(''));
    for (const { argument } of others) dropped.add(argument);
  }
  return dropped.size === 0 ? argv : argv.filter((_, index) => !dropped.has(index));
};

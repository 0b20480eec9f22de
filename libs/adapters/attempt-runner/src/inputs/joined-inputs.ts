import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunInput } from '@fleet/contracts/runs';

/** `>P1;name` of PIR: its next line is a title. */
const pirHeader = /^>\w\w;(?<name>.*)$/;

/** One sequence file as FASTA: a name for one that has none, and PIR without its titles and ends. */
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
 * Joins the copies that are one content (sequences that were submitted in pieces) into the first one of them, because the program takes one
 * file, and leaves the arguments of the others out.
 * @param argv with the copies of the files
 * @param folder absolute, where the copies lie
 * @throws the system's error where the copy cannot be written (`ENOSPC`)
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

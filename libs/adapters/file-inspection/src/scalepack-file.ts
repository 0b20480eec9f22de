import type { Fault, FileFacts } from '@fleet/contracts';
import { fileFault } from './file-source';
import { unitCellOf } from './unit-cell';

/** Characters; the format's own lines have less than 100. */
const longestLine = 256;

/** Six numbers of a cell, then the space group. No two parts of it can match the same character. */
const cellLine = /^\s*((?:[\d.]{1,16}\s+){6})(\S.*)$/;

const notScalepack = (path: string): Fault => {
  const reason =
    'it begins as a scalepack file, and its third line does not hold six numbers of a cell and a space group';
  const allowed = `a third line of at most ${longestLine} characters with numbers of at most 16, as scalepack writes it`;
  return fileFault('corrupt', path, reason, { allowed });
};

const isMerged = (lines: readonly string[]): boolean => lines[0]?.trim() === '1' && lines[1]?.trim() === '-987';

/** What a line of a cell holds: the six numbers, and the space group. */
const cellParts = (line: string): readonly string[] =>
  line.length > longestLine ? [] : (cellLine.exec(line)?.slice(1) ?? []);

/**
 * Merged scalepack: `    1`, ` -987`, then cell and space group.
 * @throws Fault `file.corrupt`
 */
const merged = (path: string, lines: readonly string[]): FileFacts | undefined => {
  if (!isMerged(lines)) return undefined;
  const [numbers = '', spaceGroup = ''] = cellParts(lines[2] ?? '');
  const cell = unitCellOf(numbers.trim().split(/\s+/).map(Number));
  if (cell === undefined) throw notScalepack(path);
  return { format: 'scalepack', cell, spaceGroup: spaceGroup.trim().toUpperCase() };
};

const isOperator = (line: string): boolean => {
  if (line.length > longestLine || !/^[\s\d-]+$/.test(line)) return false;
  const integers = line.match(/-?\d+/g)?.length ?? 0;
  return integers >= 3 && integers <= 9;
};

/** Unmerged scalepack: number of symmetry operators and space group, then two lines of integers per operator. */
const unmerged = (lines: readonly string[]): FileFacts | undefined => {
  const [first = '', ...operator] = lines.slice(0, 3);
  if (first.length > longestLine) return undefined;
  const [, count, spaceGroup] = /^\s*(\d{1,3})\s+([a-z][a-z0-9]*)\s*$/i.exec(first) ?? [];
  if (count === undefined || spaceGroup === undefined) return undefined;
  return operator.length === 2 && operator.every(isOperator)
    ? { format: 'scalepack', spaceGroup: spaceGroup.toUpperCase() }
    : undefined;
};

/**
 * Facts of a scalepack file, or undefined.
 * @throws Fault `file.corrupt` for one that only begins as such a file.
 */
export const scalepackFacts = (path: string, lines: readonly string[]): FileFacts | undefined =>
  merged(path, lines) ?? unmerged(lines);

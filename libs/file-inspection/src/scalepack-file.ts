import type { FileFacts } from '@fleet/contracts';
import { unitCellOf } from './unit-cell';

/** Merged scalepack: `    1`, ` -987`, then cell and space group. */
const merged = (lines: readonly string[]): FileFacts | undefined => {
  if (lines[0]?.trim() !== '1' || lines[1]?.trim() !== '-987') return undefined;
  const [, numbers = '', spaceGroup = ''] = /^((?:\s*[\d.]+){6})\s+(\S.*)$/.exec(lines[2] ?? '') ?? [];
  const cell = unitCellOf(numbers.trim().split(/\s+/).map(Number));
  if (cell === undefined) return undefined;
  return { format: 'scalepack', cell, spaceGroup: spaceGroup.trim().toUpperCase() };
};

/** Unmerged scalepack: number of symmetry operators and space group, then two lines of integers per operator. */
const unmerged = (lines: readonly string[]): FileFacts | undefined => {
  const [, count, spaceGroup] = /^\s*(\d{1,3})\s+([a-z][a-z0-9]*)\s*$/i.exec(lines[0] ?? '') ?? [];
  const operator = lines.slice(1, 3);
  const isOperator = operator.length === 2 && operator.every((line) => /^(?:\s*-?\d+){3,9}\s*$/.test(line));
  if (count === undefined || spaceGroup === undefined || !isOperator) return undefined;
  return { format: 'scalepack', spaceGroup: spaceGroup.toUpperCase() };
};

/** Facts of a scalepack file, or undefined. */
export const scalepackFacts = (lines: readonly string[]): FileFacts | undefined => merged(lines) ?? unmerged(lines);

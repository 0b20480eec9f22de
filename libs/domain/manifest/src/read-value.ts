import type { FieldProblem } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import { longestRow, maxValues } from './manifest-limits';
import type { ManifestEntry, ManifestRow, RowText } from './manifest-row';

/** Characters of a row that identify it in reports. */
const beginning = 200;

export const rejectedRow = (
  { line, text }: Pick<RowText, 'line' | 'text'>,
  reason: string,
  allowed?: string,
): ManifestEntry => {
  const problem: FieldProblem = { field: 'row', reason, ...(allowed !== undefined && { allowed }) };
  return { line, problem, text: text.slice(0, beginning) };
};

/** Counts the values in a value, level by level, up to the maximum. */
const isTooComplex = (value: unknown): boolean => {
  let level: readonly unknown[] = [value];
  let count = 0;
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      const members: readonly unknown[] = Object.values(one);
      count += members.length;
      if (count > maxValues) return true;
      next.push(...members);
    }
    level = next;
  }
  return false;
};

const isRow = (value: unknown): value is ManifestRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses the text of a row.
 * @param read returns its value, or throws with the reason
 */
export const readRow = (given: RowText, read: (text: string) => unknown): ManifestEntry => {
  if (given.cut) return rejectedRow(given, 'is too long', `at most ${String(longestRow)} characters`);
  let value: unknown;
  try {
    value = read(given.text);
  } catch (error) {
    return rejectedRow(given, `cannot be read: ${error instanceof Error ? firstLine(error.message) : String(error)}`);
  }
  if (!isRow(value)) return rejectedRow(given, `is ${shown(value)}`, 'an object with the members of a submission');
  if (isTooComplex(value)) return rejectedRow(given, 'holds too many values', `at most ${String(maxValues)}`);
  return { line: given.line, row: value };
};

/** A row of a list, as a value: the same rules as for one in a manifest. */
export const readListedRow = (value: unknown, index: number): ManifestEntry => {
  const text = JSON.stringify(value);
  return readRow({ line: index + 1, text: text.slice(0, longestRow), cut: text.length > longestRow }, () => value);
};

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

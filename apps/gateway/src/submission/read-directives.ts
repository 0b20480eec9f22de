import { parseDirectives, type SessionDirectives } from '@fleet/contracts';
import type { ProblemList } from './problem-list';

/** Characters of the directives as JSON: they are kept with the session and read at every decision. */
const longest = 20_000;

/**
 * Reads what is asked for in structured form (seed 001); undefined where nothing is.
 * @param knownPrograms names that directives may hold; an empty list means that the knowledge base was not asked
 */
export const readDirectives = (
  value: unknown,
  knownPrograms: readonly string[],
  problems: ProblemList,
): SessionDirectives | undefined => {
  if (value === undefined || value === null) return undefined;
  const length = JSON.stringify(value).length;
  if (length > longest) {
    const allowed = `at most ${String(longest)} characters`;
    problems.add('field.too_long', 'directives', `has ${String(length)} characters`, allowed);
    return undefined;
  }
  const names = knownPrograms.length === 0 ? undefined : new Set(knownPrograms);
  const { directives, problems: wrong } = parseDirectives(value, names);
  for (const { field, reason, allowed } of wrong) problems.add('directive.invalid', field, reason, allowed);
  return Object.keys(directives).length === 0 ? undefined : directives;
};

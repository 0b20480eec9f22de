import { mistakesIn, withoutMistakes, type Mistake, type Schema } from '@fleet/contracts';
import type { ProblemList } from './problem-list';

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In a body null and absent are the same. */
const withoutNulls = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** What is in settings and directives is read by readers of their own, which know the programs. */
const isReadHere = ({ path: [member, ...inside] }: Mistake): boolean =>
  member !== 'directives' && (member !== 'settings' || inside.length === 0);

/**
 * What is right of a body. Whatever is wrong with it goes to `problems`: members that are missing, unknown, of another type or beyond
 * their bounds.
 */
export const readBody = <T extends object>(schema: Schema<T>, body: unknown, problems: ProblemList): Partial<T> => {
  const given = isRecord(body) ? withoutNulls(body) : body;
  const mistakes = mistakesIn(schema, given).filter(isReadHere);
  for (const mistake of mistakes) problems.addMistake(mistake);
  // What remains has been checked.
  return isRecord(given) ? withoutMistakes(given, mistakes) : {};
};

import { mistakesIn, withoutMistakes, type Mistake, type Schema } from '@fleet/contracts/schema';
import { ProblemList, refuseProblems } from './problem-list';

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In a body null counts as absent. */
const withoutNulls = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Settings and directives have their own readers, which know the programs. */
const isReadHere = ({ path: [member, ...inside] }: Mistake): boolean =>
  member !== 'directives' && (member !== 'settings' || inside.length === 0);

/** The body declaration of a route. */
interface TakesBody<T> {
  readonly body: Schema<T>;
  readonly bodyMayBeAbsent?: true;
}

/** The valid part of a route's body. Problems are added to `problems`: missing or unknown members, wrong types, exceeded bounds. */
export const collectBody = <T extends object>(
  { body: schema, bodyMayBeAbsent }: TakesBody<T>,
  body: unknown,
  problems: ProblemList,
): Partial<T> => {
  const sent = bodyMayBeAbsent === true ? (body ?? {}) : body;
  const given = isRecord(sent) ? withoutNulls(sent) : sent;
  const mistakes = mistakesIn(schema, given).filter(isReadHere);
  for (const mistake of mistakes) problems.addMistake(mistake);
  // What remains is valid.
  return isRecord(given) ? withoutMistakes(given, mistakes) : {};
};

/**
 * The body of a route, as declared: for bodies without settings and directives.
 * @throws Fault `request.invalid` with all problems
 */
export const readBody = <T extends object>(route: TakesBody<T>, body: unknown): T => {
  const problems = new ProblemList();
  const read = collectBody(route, body, problems);
  refuseProblems(problems);
  // Nothing is missing: that would have been a problem.
  return read as T;
};

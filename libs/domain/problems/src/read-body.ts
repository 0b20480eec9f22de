import { mistakesIn, withoutMistakes, type Mistake, type Schema } from '@fleet/contracts/schema';
import { ProblemList, refuseProblems } from './problem-list';

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In a body null and absent are the same. */
const withoutNulls = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** What is in settings and directives is read by readers of their own, which know the programs. */
const isReadHere = ({ path: [member, ...inside] }: Mistake): boolean =>
  member !== 'directives' && (member !== 'settings' || inside.length === 0);

/** Of a declared route, what it says of its body. */
interface TakesBody<T> {
  readonly body: Schema<T>;
  readonly bodyMayBeAbsent?: true;
}

/**
 * What is right of the body of a route, by its declaration. Whatever is wrong goes to `problems`: members that are missing, unknown, of another
 * type or beyond their bounds.
 */
export const collectBody = <T extends object>(
  { body: schema, bodyMayBeAbsent }: TakesBody<T>,
  body: unknown,
  problems: ProblemList,
): Partial<T> => {
  const sent = bodyMayBeAbsent === true ? (body ?? {}) : body;
  const given = isRecord(sent) ? withoutNulls(sent) : sent;
  const mistakes = mistakesIn(schema, given).filter(isReadHere);
  for (const mistake of mistakes) problems.addMistake(mistake);
  // What remains has been checked.
  return isRecord(given) ? withoutMistakes(given, mistakes) : {};
};

/**
 * The body of a route, as it declares it: for bodies without settings and directives.
 * @throws Fault `request.invalid` with every problem that was found
 */
export const readBody = <T extends object>(route: TakesBody<T>, body: unknown): T => {
  const problems = new ProblemList();
  const read = collectBody(route, body, problems);
  refuseProblems(problems);
  // Nothing is missing: that would have been a problem.
  return read as T;
};

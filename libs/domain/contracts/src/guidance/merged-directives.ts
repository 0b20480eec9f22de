import type { SessionDirectives } from './directives';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Merges both; of two values for the same field the client's counts. */
const merge = (read: unknown, given: unknown, path: readonly string[], overruled: string[]): unknown => {
  if (given === undefined) return read;
  if (read === undefined || read === given) return given;
  if (isMembers(read) && isMembers(given)) {
    const keys = [...new Set([...Object.keys(read), ...Object.keys(given)])];
    return Object.fromEntries(keys.map((key) => [key, merge(read[key], given[key], [...path, key], overruled)]));
  }
  if (isList(read) && isList(given)) return [...new Set([...given, ...read])];
  overruled.push(
    `${path.join('.')} is ${shown(given)}, as the directives say, and not ${shown(read)}, as the advice says.`,
  );
  return given;
};

/** Programs that directives request. */
const wantedIn = ({
  stop_conditions,
  workflow_preferences,
  program_settings,
}: SessionDirectives): ReadonlySet<string> =>
  new Set([
    ...[stop_conditions?.after_program, stop_conditions?.start_with_program].filter((name) => name !== undefined),
    ...(workflow_preferences?.prefer_programs ?? []),
    ...Object.keys(program_settings ?? {}),
  ]);

/** Removes exclusions in the advice of programs that the client requests in structured form. */
const withoutWanted = (read: SessionDirectives, given: SessionDirectives, overruled: string[]): SessionDirectives => {
  const { workflow_preferences } = read;
  const wanted = wantedIn(given);
  const beaten = workflow_preferences?.skip_programs?.filter((program) => wanted.has(program)) ?? [];
  if (beaten.length === 0) return read;
  overruled.push(
    ...beaten.map((program) => `${program} is not left out, although the advice says so: the directives ask for it.`),
  );
  const skip_programs = workflow_preferences?.skip_programs?.filter((program) => !wanted.has(program)) ?? [];
  return { ...read, workflow_preferences: { ...workflow_preferences, skip_programs } };
};

/**
 * Merges directives from two sources.
 * @param read directives read from the advice
 * @param given the client's structured directives, which take precedence
 */
export const mergedDirectives = (
  read: SessionDirectives,
  given: SessionDirectives,
): { readonly directives: SessionDirectives; readonly overruled: readonly string[] } => {
  const overruled: string[] = [];
  // Both are directives, so the result has the same form.
  const directives = merge(withoutWanted(read, given, overruled), given, [], overruled) as SessionDirectives;
  return { directives, overruled };
};

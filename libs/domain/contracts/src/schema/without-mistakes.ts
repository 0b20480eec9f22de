import type { Mistake } from './check';

export type Path = readonly (string | number)[];

/** A list with an invalid entry is invalid as a whole. */
const wholeLists = (path: Path): Path => {
  const entry = path.findIndex((key) => typeof key === 'number');
  return entry === -1 ? path : path.slice(0, entry);
};

/** A copy without these paths; the value itself without paths. */
export const without = <T>(value: T, paths: readonly Path[]): T => {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  const inside = new Map<string, Path[]>();
  for (const [key, ...rest] of paths.map(wholeLists)) {
    const known = inside.get(String(key));
    if (known === undefined) inside.set(String(key), [rest]);
    else known.push(rest);
  }
  const members = Object.entries(value).flatMap(([key, member]: [string, unknown]): [string, unknown][] => {
    const wrong = inside.get(key) ?? [];
    return wrong.some(({ length }) => length === 0) ? [] : [[key, without(member, wrong)]];
  });
  return Object.fromEntries(members) as T;
};

/** A copy of a value without its mistakes, so that the rest can be processed. */
export const withoutMistakes = (value: object, mistakes: readonly Mistake[]): object =>
  without(
    value,
    mistakes.map(({ path }) => path),
  );

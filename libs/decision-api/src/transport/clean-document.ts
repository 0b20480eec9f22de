import type { JsonValue } from '@fleet/contracts';
import type { FieldLimit, TransportKnowledge } from '@fleet/knowledge-model';
import { cleanText } from './clean-text';
import type { MarkerCodec } from './markers';

export type Limits = Readonly<Record<string, FieldLimit>>;

/** The limit of a text by its path (`history[].command`); `x.*` stands for every text below `x`. */
const limitFinder = (limits: Limits): ((path: string) => FieldLimit | undefined) => {
  const below = Object.entries(limits).flatMap(([path, limit]) =>
    path.endsWith('.*') ? [{ start: path.slice(0, -1), limit }] : [],
  );
  return (path) => limits[path] ?? below.find(({ start }) => path.startsWith(start))?.limit;
};

/** Cleans every text that has a limit, and cuts what is nested too deep. */
export const documentCleaner = (
  limits: Limits,
  rules: TransportKnowledge,
  codec: MarkerCodec,
): ((document: JsonValue) => JsonValue) => {
  const limitOf = limitFinder(limits);
  const clean = (value: JsonValue, path: string, depth: number): JsonValue => {
    if (typeof value === 'string') {
      const limit = limitOf(path);
      return limit === undefined ? value : cleanText(value, limit, rules, codec);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= rules.deepest) return rules.truncation_mark;
    if (Array.isArray(value)) return value.map((entry: JsonValue) => clean(entry, `${path}[]`, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, clean(entry, path === '' ? key : `${path}.${key}`, depth + 1)]),
    );
  };
  return (document) => clean(document, '', 0);
};

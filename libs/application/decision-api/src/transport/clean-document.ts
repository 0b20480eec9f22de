import type { JsonValue } from '@fleet/contracts/sessions';
import type { FieldLimit, TransportKnowledge } from '@fleet/knowledge-model';
import { cleanText } from './clean-text';
import type { MarkerCodec } from './markers';

export type Limits = Readonly<Record<string, FieldLimit>>;

/** What holds at one place of a document, and where it continues from there. */
interface Place {
  limit?: FieldLimit;
  /** For every text below this place that has no limit of its own. */
  below?: FieldLimit;
  readonly members: Map<string, Place>;
}

const newPlace = (): Place => ({ members: new Map() });

/** What stands for the entries of a list; no member of the rules is called so. */
const entryName = '[]';

const placeAt = (root: Place, names: readonly string[]): Place => {
  let node = root;
  for (const name of names) {
    const next = node.members.get(name) ?? newPlace();
    node.members.set(name, next);
    node = next;
  }
  return node;
};

/** The limits by their paths (`history[].command`) as a tree; `x.*` stands for every text below `x`. */
const placesOf = (limits: Limits): Place => {
  const root = newPlace();
  for (const [path, limit] of Object.entries(limits)) {
    const names = path.replaceAll(entryName, `.${entryName}`).split('.');
    if (names.at(-1) === '*') placeAt(root, names.slice(0, -1)).below = limit;
    else placeAt(root, names).limit = limit;
  }
  return root;
};

/** The place of a member or entry; where the rules say nothing, what holds for all below continues to hold. */
const step = (place: Place | undefined, name: string): Place | undefined => {
  const next = place?.members.get(name);
  if (place?.below === undefined) return next;
  return { limit: place.below, below: place.below, ...next, members: next?.members ?? new Map<string, Place>() };
};

/** Cleans every text that has a limit, and cuts what is nested too deep. */
export const documentCleaner = (
  limits: Limits,
  rules: TransportKnowledge,
  codec: MarkerCodec,
): ((document: JsonValue) => JsonValue) => {
  const root = placesOf(limits);
  const clean = (value: JsonValue, place: Place | undefined, depth: number): JsonValue => {
    if (typeof value === 'string')
      return place?.limit === undefined ? value : cleanText(value, place.limit, rules, codec);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= rules.deepest) return rules.truncation_mark;
    if (Array.isArray(value)) return value.map((entry: JsonValue) => clean(entry, step(place, entryName), depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, clean(entry, step(place, key), depth + 1)]),
    );
  };
  return (document) => clean(document, root, 0);
};

import { also, differing, integer, mapOf, matching, record, text, type Described } from '@fleet/contracts/schema';

/** A character that does not survive every transport, with its code: `ZZ<code>ZZ`. */
const markedCharacter = record({
  code: matching('^[A-Y]{2}$'),
  character: text(undefined, { minLength: 1, maxLength: 1 }),
});
export type MarkedCharacter = Described<typeof markedCharacter>;

/** Maximum length of a text, in characters (UTF-16 code units). */
const fieldLimit = record(
  { max_length: integer(undefined, { minimum: 50 }) },
  {
    /** Maximum length of a single-quoted string inside the text. */
    quotes: integer(undefined, { minimum: 10 }),
  },
);
export type FieldLimit = Described<typeof fieldLimit>;

const fieldLimits = also(mapOf(fieldLimit), {
  minProperties: 1,
  propertyNames: { pattern: '^[a-z_]+(\\[\\])?(\\.[a-z_]+(\\[\\])?)*(\\.\\*)?$' },
});

/** knowledge/transport.yaml */
export const transportKnowledge = record({
  /** Marks a truncation; counts towards the limit. */
  truncation_mark: text(undefined, { minLength: 1, maxLength: 50 }),
  /** Values with deeper nesting are replaced with the truncation mark. */
  deepest: integer(undefined, { minimum: 3, maximum: 100 }),
  markers: differing(markedCharacter),
  /** By path: `log_content`, `history[].command`; `.*` matches every text below. The first match counts. */
  request: fieldLimits,
  response: fieldLimits,
});
export type TransportKnowledge = Described<typeof transportKnowledge>;

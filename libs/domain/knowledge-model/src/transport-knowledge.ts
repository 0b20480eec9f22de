/** A character that does not survive every transport, with its code: `ZZ<code>ZZ`. */
export interface MarkedCharacter {
  readonly code: string;
  readonly character: string;
}

/** Maximum length of a text, in characters (UTF-16 code units). */
export interface FieldLimit {
  readonly max_length: number;
  /** Maximum length of a single-quoted string inside the text. */
  readonly quotes?: number;
}

/** knowledge/transport.yaml */
export interface TransportKnowledge {
  /** Marks a truncation; counts towards the limit. */
  readonly truncation_mark: string;
  /** Values with deeper nesting are replaced with the truncation mark. */
  readonly deepest: number;
  readonly markers: readonly MarkedCharacter[];
  /** By path: `log_content`, `history[].command`; `.*` matches every text below. The first match counts. */
  readonly request: Readonly<Record<string, FieldLimit>>;
  readonly response: Readonly<Record<string, FieldLimit>>;
}

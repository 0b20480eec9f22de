/** A character that does not survive every way of transport, with the code that stands for it: `ZZ<code>ZZ`. */
export interface MarkedCharacter {
  readonly code: string;
  readonly character: string;
}

/** How long a text may be, in characters (UTF-16 code units). */
export interface FieldLimit {
  readonly max_length: number;
  /** Longest single-quoted string inside the text. */
  readonly quotes?: number;
}

/** knowledge/transport.yaml */
export interface TransportKnowledge {
  /** Stands where something was cut off; counts towards the limit. */
  readonly truncation_mark: string;
  /** Values nested deeper are replaced by the truncation mark. */
  readonly deepest: number;
  readonly markers: readonly MarkedCharacter[];
  /** By path: `log_content`, `history[].command`; `.*` stands for every text below. The first that fits counts. */
  readonly request: Readonly<Record<string, FieldLimit>>;
  readonly response: Readonly<Record<string, FieldLimit>>;
}

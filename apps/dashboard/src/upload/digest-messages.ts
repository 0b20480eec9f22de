export interface DigestRequest {
  readonly file: File;
}

export type DigestAnswer =
  /** Bytes read so far. */
  | { readonly done: number }
  /** SHA-256 of the whole file, in hex. */
  | { readonly sha256: string }
  | { readonly problem: string };

/** A part of a file, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const form = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/;

/**
 * Parses a Range header (RFC 9110, 14.2): one range of bytes. Anything else, including several ranges, is ignored, as
 * the RFC allows.
 * @returns undefined for the whole file; `outside` if the range is unsatisfiable
 */
export const readRange = (header: string | undefined, size: number): ByteRange | 'outside' | undefined => {
  const [whole, from, to, last] = form.exec(header ?? '') ?? [];
  if (whole === undefined) return undefined;
  if (last !== undefined) {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 };
  }
  const [start, end] = [Number(from), to === undefined ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== undefined && Number(to) < start) return undefined;
  return start >= size ? 'outside' : { start, end };
};

/** A part of a file, in bytes from its beginning; `to` is not in it. */
export interface LogPart {
  readonly from: number;
  readonly to: number;
}

/** Of a file with holes, this much is read at least, in bytes: file systems that compress allocate less than they hold. */
const minBytes = 16 * 1024 * 1024;

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

/**
 * What of a log is read: all of it up to the limit; of a larger one the beginning and the end, and no more than is allocated on the disk, for a
 * file can claim any size and hold nothing.
 * @param allocated bytes on the disk
 */
export const logParts = (
  size: number,
  allocated: number,
  limit: number,
): { readonly parts: readonly LogPart[]; readonly cut: string | undefined } => {
  if (size <= limit) return { parts: [{ from: 0, to: size }], cut: undefined };
  const budget = Math.min(limit, Math.max(allocated, minBytes));
  const head = Math.floor(budget / 2);
  const cut =
    `The log has ${mebibytes(size)} MiB, of which ${mebibytes(allocated)} MiB are on the disk; ` +
    `the first ${mebibytes(head)} MiB and the last ${mebibytes(budget - head)} MiB of it were read.`;
  return {
    parts: [
      { from: 0, to: head },
      { from: size - (budget - head), to: size },
    ],
    cut,
  };
};

/** A part of a file, in bytes from its beginning; `to` is exclusive. */
export interface LogPart {
  readonly from: number;
  readonly to: number;
}

/** Minimum bytes read of a sparse file: compressing file systems allocate less than the content. */
const minBytes = 16 * 1024 * 1024;

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

/**
 * The parts of a log to read: all of it up to the limit; of a larger one the beginning and the end, and at most the
 * allocated size, because a sparse file can have any size.
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

import type { Upload } from '@fleet/contracts';

/** Milliseconds in which the uploads of a proposal are counted together. */
export const dayMs = 24 * 60 * 60 * 1000;

/** Bytes of an upload that have not come and may; those of one that was refused have counted. */
export const awaitedBytes = ({ state, size, offset }: Pick<Upload, 'state' | 'size' | 'offset'>): number =>
  state === 'receiving' ? Math.max(0, size - offset) : 0;

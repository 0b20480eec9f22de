import type { Fault } from '@fleet/contracts';
import { bounds, shownCount } from './bounds';
import { fileFault } from './file-source';

/** A file goes beyond a bound: what it has, and what is allowed. */
export const tooComplex = (path: string, reason: string, allowed: string): Fault =>
  fileFault('too_complex', path, reason, { allowed: `${allowed}; check that the file is what its name says` });

/** @param what the name that is too long, for example `a data name` */
export const tooLong = (path: string, what: string): Fault => {
  const most = `${shownCount(bounds.name)} characters`;
  return tooComplex(path, `${what} in it has more than ${most}`, `names of at most ${most}`);
};

/** @param what for example `model` */
export const tooLarge = (path: string, what: string, maxBytes: number): Fault => {
  const most = `${shownCount(maxBytes / 1_048_576)} MiB`;
  return tooComplex(path, `it is a ${what} of more than ${most}`, `a ${what} of at most ${most}`);
};

import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName, isModel, matchesGlob } from '@fleet/files';
import type { ProgramKnowledge } from '@fleet/knowledge-model';

/** A program that counts as not done because its output is missing. */
export interface LostProduct {
  readonly program: string;
  readonly flag: string;
  /** One sentence for the user. */
  readonly message: string;
}

/**
 * Whether the output of a program is missing (phenix-agent.md#zombie-states: the run died before its files were safe, or a user deleted
 * them). A second success without output is accepted: otherwise the program would run forever.
 */
export const lostProductOf = (
  { name, done }: ProgramKnowledge,
  successes: number,
  files: readonly SessionFile[],
): LostProduct | undefined => {
  const { product } = done;
  if (product === undefined || successes !== 1) return undefined;
  const isThere = files.some(
    (file) =>
      (product.any_model === true && isModel(file)) ||
      product.names.some((glob) => matchesGlob(baseName(file.path), glob)),
  );
  if (isThere) return undefined;
  return {
    program: name,
    flag: done.flag,
    message: `${name} has run, but what it made (${product.names.join(', ')}) is missing; "${done.flag}" is cleared and the program may run again.`,
  };
};

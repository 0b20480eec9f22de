import { errnoOf, isFault } from '@fleet/contracts/faults';
import type { RunInput } from '@fleet/contracts/runs';
import { changeOfError, shownPath } from '@fleet/untrusted-files';
import type { Outcome } from '../attempt/ending-words';
import { UnreadableInput } from './copy-file';

/** A problem with an input: a sentence that follows the file name and a colon, and what to do. */
export interface InputTrouble {
  readonly reason: string;
  readonly nextAction: string;
  /** An infrastructure failure, which may pass. */
  readonly passing?: true;
}

const leftOut = 'The next decision excludes it; to use it in its present state, submit it in a new session.';

export const inputChanged = (reason: string): InputTrouble => ({ reason, nextAction: leftOut });

export const noRoot: InputTrouble = {
  reason: 'it is outside the data folders',
  nextAction: 'Ask the administrator to check the data folders of the executor (FLEET_DATA_ROOTS).',
};

const closed: InputTrouble = {
  reason: 'the user of the program has no permission to read it',
  nextAction: 'Let that user read it, and resume the session.',
};

/** Problems other than a changed file, by the codes of `openUnder` and the system (errno(3)). */
const troubles: Readonly<Record<string, InputTrouble>> = {
  'file.outside_root': noRoot,
  EACCES: closed,
  EPERM: closed,
};

/** Why a file cannot be opened or read. */
export const troubleOf = (error: unknown): InputTrouble => {
  const cause = error instanceof UnreadableInput ? error.cause : error;
  const change = changeOfError(cause);
  if (change !== undefined) return inputChanged(change);
  const known = troubles[(isFault(cause) ? cause.code : errnoOf(cause)) ?? ''];
  if (known !== undefined) return known;
  return {
    reason: `it cannot be read (${errnoOf(cause) ?? String(cause)})`,
    nextAction: 'It is started again.',
    passing: true,
  };
};

/** The outcome of a run whose input could not be copied. */
export const describeInputTrouble = (program: string, { path }: RunInput, trouble: InputTrouble): Outcome => ({
  kind: 'not_started',
  infrastructure: trouble.passing === true,
  message: `${program} was not started because of ${shownPath(path)}: ${trouble.reason}.`,
  nextAction: trouble.nextAction,
});

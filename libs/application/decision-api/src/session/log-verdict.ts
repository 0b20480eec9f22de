import type { AttemptEnding } from '@fleet/contracts/sessions';
import type { ErrorKnowledge } from '@fleet/knowledge-model';
import { failureOf } from '@fleet/log-parsing';
import type { LogContent } from './read-log';

/** The exit code of a client's run is not sent. */
export const endedSomehow: AttemptEnding = {
  kind: 'exited',
  message: '',
  infrastructure: false,
  endedAt: '',
  durationMs: 0,
};

/** The combined verdict of a client's result and the end of its log. */
export interface LogVerdict {
  readonly failed: boolean;
  /** Lines of the log that state the failure. */
  readonly lines: readonly string[];
}

type StatedResult = 'success' | 'failed' | 'nothing';

/**
 * A failure in the result is accepted, and the log adds details. A success is accepted unless the complete log ends with a failure; without a
 * result the log alone decides.
 */
export const verdictOf = (
  program: string,
  statedResult: StatedResult,
  log: LogContent,
  errors: ErrorKnowledge,
): LogVerdict => {
  if (log.tail.length === 0 || (statedResult !== 'failed' && !log.whole))
    return { failed: statedResult === 'failed', lines: [] };
  const exitCode = { success: 0, failed: 1, nothing: undefined }[statedResult];
  const ending = { ...endedSomehow, ...(exitCode === undefined ? {} : { exitCode }) };
  const failure = failureOf({ program, ending, log, missingOutputs: [] }, errors);
  return { failed: failure !== undefined, lines: failure?.lines ?? [] };
};

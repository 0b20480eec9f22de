import type { AttemptEnding } from '@fleet/contracts/sessions';
import type { ErrorKnowledge } from '@fleet/knowledge-model';
import { failureOf } from '@fleet/log-parsing';
import type { LogSaid } from './read-log';

/** The exit code of a client's run is not sent. */
export const endedSomehow: AttemptEnding = {
  kind: 'exited',
  message: '',
  infrastructure: false,
  endedAt: '',
  durationMs: 0,
};

/** What a client's result and the end of its log say together. */
export interface LogVerdict {
  readonly failed: boolean;
  /** Lines of the log that state the failure. */
  readonly lines: readonly string[];
}

type Said = 'success' | 'failed' | 'nothing';

/**
 * A failure that the result states is believed, and the log says more about it. A success is believed unless the last words of the whole log
 * are those of a failure; where the result says nothing, the log alone decides.
 */
export const verdictOf = (program: string, said: Said, log: LogSaid, errors: ErrorKnowledge): LogVerdict => {
  if (log.tail.length === 0 || (said !== 'failed' && !log.whole)) return { failed: said === 'failed', lines: [] };
  const exitCode = { success: 0, failed: 1, nothing: undefined }[said];
  const ending = { ...endedSomehow, ...(exitCode === undefined ? {} : { exitCode }) };
  const failure = failureOf({ program, ending, log, missingOutputs: [] }, errors);
  return { failed: failure !== undefined, lines: failure?.lines ?? [] };
};

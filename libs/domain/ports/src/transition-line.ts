import type { SessionHead } from '@fleet/contracts/sessions';
import type { NextPosition } from './session-records.port';

/** The next position in one word: a stage, or the end status. */
export const nextWord = (to: NextPosition): string => ('ended' in to ? `ended:${to.ended.reason}` : to.stage);

/** One line of the audit trail: `<new version> <cycle>.<attempt> <stage>-><next>`. */
export const transitionLine = (
  from: Pick<SessionHead, 'version' | 'cycle' | 'attempt' | 'stage'>,
  next: string,
): string => `${String(from.version + 1)} ${String(from.cycle)}.${String(from.attempt)} ${from.stage}->${next}`;

/** The next position in the audit trail of a session that is being cancelled. */
export const CANCELLING = 'cancelling';

/** Milliseconds after which the sweeper checks a session that is being cancelled. */
export const CANCEL_DUE_MS = 10_000;

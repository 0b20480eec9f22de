import type { SessionEvent, SessionFit, SessionOutcome, SessionStop } from '@fleet/contracts';
import { noticesOf } from '@fleet/session-report';

/** Which move of which session. */
interface MoveName {
  readonly id: string;
  /** The version that it leads to. */
  readonly version: number;
  readonly now: number;
}

interface NoticedMove {
  readonly events: readonly SessionEvent[];
  /** Absent: the session goes on. */
  readonly stop?: SessionStop | undefined;
}

/** What came of a session that a move ends; '' or undefined: it goes on. */
interface NoticedOutcome {
  readonly outcome: SessionOutcome | '' | undefined;
  readonly fit?: SessionFit | undefined;
}

/**
 * The notices of a move as its script takes them: '' where there are none. Their ids name the version and the time, for versions begin anew
 * where a session is recovered.
 */
export const noticesArgument = (
  { id, version, now }: MoveName,
  { events, stop }: NoticedMove,
  { outcome, fit }: NoticedOutcome,
): string => {
  const ended = stop === undefined || outcome === undefined || outcome === '' ? undefined : { stop, outcome, fit };
  const notices = noticesOf(events, ended);
  if (notices.length === 0) return '';
  const base = [id, version, now].join('-');
  return JSON.stringify(
    notices.map((notice, index) => [notice.kind, `${base}.${String(index)}`, JSON.stringify(notice)]),
  );
};

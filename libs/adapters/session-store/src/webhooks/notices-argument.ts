import type { SessionEvent, SessionOutcome, SessionStop } from '@fleet/contracts';
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

/**
 * The notices of a move as its script takes them: '' where there are none. Their ids name the version and the time, for versions begin anew
 * where a session is recovered.
 */
export const noticesArgument = (
  { id, version, now }: MoveName,
  { events, stop }: NoticedMove,
  outcome: SessionOutcome | '' | undefined,
): string => {
  const ended = stop === undefined || outcome === undefined || outcome === '' ? undefined : { stop, outcome };
  const notices = noticesOf(events, ended);
  if (notices.length === 0) return '';
  const base = [id, version, now].join('-');
  return JSON.stringify(
    notices.map((notice, index) => [notice.kind, `${base}.${String(index)}`, JSON.stringify(notice)]),
  );
};

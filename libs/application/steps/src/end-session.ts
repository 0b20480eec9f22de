import { statusOfStopReason, type SessionEvent, type SessionHead, type SessionStop } from '@fleet/contracts/sessions';

/** The end of a session, as a transition of its record. */
export interface SessionEnd {
  readonly to: { readonly ended: SessionStop };
  /** `session_ended` is always the last: readers of the stream stop there. */
  readonly events: readonly SessionEvent[];
}

/**
 * @param at ISO 8601
 * @param before events before the end
 * @param message of the last event; absent: the reason's detail
 */
export const endSession = (
  { cycle }: Pick<SessionHead, 'cycle'>,
  stop: SessionStop,
  at: string,
  before: readonly SessionEvent[] = [],
  message = stop.detail,
): SessionEnd => {
  const { reason } = stop;
  const data = { status: statusOfStopReason[reason], reason };
  return { to: { ended: stop }, events: [...before, { type: 'session_ended', cycle, at, message, data }] };
};

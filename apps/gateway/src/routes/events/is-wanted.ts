import { isEnded, type SessionUpdate } from '@fleet/contracts/sessions';
import type { SessionGroup } from '@fleet/ports';

const neverChanging = ['proposal', 'beamline', 'batch', 'submitter'] as const;

/**
 * Whether a move concerns a session that a list with this filter shows, or showed before the move, so that a client
 * also learns what has left its list.
 */
export const isWanted = ({ session, was }: SessionUpdate, wanted: SessionGroup): boolean =>
  neverChanging.every((name) => wanted[name] === undefined || wanted[name] === session[name]) &&
  (wanted.status === undefined || wanted.status === session.status || wanted.status === was) &&
  (wanted.outcome === undefined || wanted.outcome === session.outcome || (was !== undefined && isEnded(was)));

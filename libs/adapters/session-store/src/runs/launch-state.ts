import type { LaunchState } from '@fleet/contracts';

/** As long as nobody has said anything, programs are launched. */
export const neverSaid: LaunchState = { mode: 'open', reason: '', by: '', since: '' };

/** What somebody says, with the time since which its mode holds. */
export const asSaid = (said: Omit<LaunchState, 'since'>, before: LaunchState, now: string): LaunchState => ({
  ...said,
  since: before.mode === said.mode && before.since !== '' ? before.since : now,
});

import type { SessionRequest } from '@fleet/contracts/sessions';

/** Where a fork is from, in words that follow a label; undefined of what was submitted. */
export const forkText = ({ forkedFrom }: Pick<SessionRequest, 'forkedFrom'>): string | undefined =>
  forkedFrom === undefined ? undefined : `${forkedFrom.session}, after cycle ${String(forkedFrom.afterCycle)}`;

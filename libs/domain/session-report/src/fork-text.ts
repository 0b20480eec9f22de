import type { SessionRequest } from '@fleet/contracts/sessions';

/** The origin of a fork, as text after a label; undefined for a submitted session. */
export const forkText = ({ forkedFrom }: Pick<SessionRequest, 'forkedFrom'>): string | undefined =>
  forkedFrom === undefined ? undefined : `${forkedFrom.session}, after cycle ${String(forkedFrom.afterCycle)}`;

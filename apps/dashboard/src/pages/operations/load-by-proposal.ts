import type { AdminView } from '@fleet/contracts/launches';
import type { SessionRow } from '@fleet/contracts/sessions';
import { stateOf } from '../../format/state-of';

/** What a proposal has on the service now. */
export interface Load {
  readonly proposal: string;
  readonly running: number;
  readonly waiting: number;
  /** The one that waits longest; absent: none waits. */
  readonly longest?: SessionRow;
}

/**
 * Who uses the service, the busiest first.
 * @param sessions that run or wait, those that were submitted first at the beginning
 */
export const loadByProposal = (
  { runsByProposal }: Pick<AdminView, 'runsByProposal'>,
  sessions: readonly SessionRow[],
): readonly Load[] => {
  const waiting = new Map<string, SessionRow[]>();
  for (const row of sessions.filter((one) => stateOf(one) === 'waiting'))
    waiting.set(row.proposal, [...(waiting.get(row.proposal) ?? []), row]);
  return [...new Set([...Object.keys(runsByProposal), ...waiting.keys()])]
    .map((proposal) => {
      const waits = waiting.get(proposal) ?? [];
      const [longest] = waits;
      return {
        proposal,
        running: runsByProposal[proposal] ?? 0,
        waiting: waits.length,
        ...(longest !== undefined && { longest }),
      };
    })
    .sort((a, b) => b.running - a.running || b.waiting - a.waiting || a.proposal.localeCompare(b.proposal));
};

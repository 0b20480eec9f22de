import type { AdminView } from '@fleet/contracts/launches';
import type { SessionRow } from '@fleet/contracts/sessions';
import { stateOf } from '../../format/state-of';

/** The current load of a proposal. */
export interface Load {
  readonly proposal: string;
  readonly running: number;
  readonly waiting: number;
  /** The longest-waiting session; absent: none waits. */
  readonly longest?: SessionRow;
}

/**
 * The load by proposal, the busiest first.
 * @param sessions running and waiting ones, the first submitted first
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

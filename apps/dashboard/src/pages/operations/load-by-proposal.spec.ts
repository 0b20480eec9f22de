import type { SessionRow } from '@fleet/contracts/sessions';
import { rowOf } from '@fleet/session-report';
import { aSession } from '@fleet/testing';
import { loadByProposal } from './load-by-proposal';

const row = (proposal: string, changes: Partial<SessionRow> = {}): SessionRow => ({
  ...rowOf(aSession({})),
  status: 'running',
  stage: 'executing',
  waiting: 'all places are taken',
  proposal,
  ...changes,
});

it('counts running and waiting sessions of each proposal, the busiest first', () => {
  const first = row('mx2');
  const loads = loadByProposal({ runsByProposal: { mx1: 1, mx3: 4 } }, [
    first,
    row('mx2'),
    row('mx1'),
    row('mx4', { stage: 'analysing' }),
  ]);
  expect(loads.map(({ proposal, running, waiting }) => [proposal, running, waiting])).toEqual([
    ['mx3', 4, 0],
    ['mx1', 1, 1],
    ['mx2', 0, 2],
  ]);
  expect(loads[2]?.longest).toBe(first);
});

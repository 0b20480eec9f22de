import type { SessionRequest } from '@fleet/contracts';
import type { ProblemList } from './problem-list';

export interface LiveRules {
  /** Whether this proposal or beamline may submit with priority live. */
  readonly mayBeLive: (of: Pick<SessionRequest, 'proposal' | 'beamline'>) => Promise<boolean>;
}

/** Priority live is for whom the site allows it. */
export const checkPriority = async (
  of: Pick<SessionRequest, 'priority' | 'proposal' | 'beamline'>,
  rules: LiveRules,
  problems: ProblemList,
  field = 'priority',
): Promise<void> => {
  if (of.priority !== 'live' || (await rules.mayBeLive(of))) return;
  const where = of.beamline === '' ? '' : ` or beamline ${of.beamline}`;
  const reason = `is live, which this site does not allow for proposal ${of.proposal}${where}`;
  problems.add('field.value', field, reason, 'standard, backfill');
};

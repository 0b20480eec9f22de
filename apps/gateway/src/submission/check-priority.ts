import { isKnownAt, type Resource } from '@fleet/access';
import type { Principal, SessionRequest } from '@fleet/contracts';
import type { ProblemList } from './problem-list';

export interface LiveRules {
  /** Whether this proposal or beamline may submit with priority live. */
  readonly mayBeLive: (of: Resource) => Promise<boolean>;
  /** Beamlines that the facility says a proposal is at. */
  readonly beamlinesOf: (proposal: string) => Promise<readonly string[]>;
}

/** Why the site does not let this be live; undefined where it does. What a submitter says of a beamline gives them nothing. */
const whyNotLive = async (principal: Principal, of: Resource, rules: LiveRules): Promise<string | undefined> => {
  const { proposal, beamline } = of;
  if (await rules.mayBeLive({ proposal, beamline: '' })) return undefined;
  const reason = `is live, which this site does not allow for proposal ${proposal}`;
  if (beamline === '') return reason;
  if (!(await rules.mayBeLive(of))) return `${reason} or beamline ${beamline}`;
  if (await isKnownAt(principal, of, rules.beamlinesOf)) return undefined;
  return `${reason}; it does for beamline ${beamline}, and the facility does not say that the proposal is there`;
};

/** Priority live is for whom the site allows it. */
export const checkPriority = async (
  principal: Principal,
  of: Pick<SessionRequest, 'priority'> & Resource,
  rules: LiveRules,
  problems: ProblemList,
  field = 'priority',
): Promise<void> => {
  if (of.priority !== 'live') return;
  const reason = await whyNotLive(principal, of, rules);
  if (reason !== undefined) problems.add('field.value', field, reason, 'standard, backfill');
};

import { isKnownAt, type Resource } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { SessionRequest } from '@fleet/contracts/sessions';
import type { ProblemList } from '@fleet/problems';
import type { SessionPorts } from '../session/session-ports';

type LivePorts = Pick<SessionPorts, 'members' | 'shares'>;

/** Why the site does not allow priority live here; undefined if it does. A beamline given by the submitter has no effect on permissions. */
const whyNotLive = async (principal: Principal, of: Resource, ports: LivePorts): Promise<string | undefined> => {
  const { proposal, beamline } = of;
  if (await ports.shares.mayBeLive({ proposal, beamline: '' })) return undefined;
  const reason = `is live, which this site does not allow for proposal ${proposal}`;
  if (beamline === '') return reason;
  if (!(await ports.shares.mayBeLive(of))) return `${reason} or beamline ${beamline}`;
  if (await isKnownAt(principal, of, (name) => ports.members.beamlinesOf(name))) return undefined;
  return `${reason}; it does for beamline ${beamline}, but the proposal is not assigned to that beamline`;
};

/** Checks that the site allows priority live. */
export const checkPriority = async (
  principal: Principal,
  of: Pick<SessionRequest, 'priority'> & Resource,
  ports: LivePorts,
  problems: ProblemList,
  field = 'priority',
): Promise<void> => {
  if (of.priority !== 'live') return;
  const reason = await whyNotLive(principal, of, ports);
  if (reason !== undefined) problems.add('field.value', field, reason, 'standard, backfill');
};

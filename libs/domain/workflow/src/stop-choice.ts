import { holds } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import { STOP, type Menu } from './menu';

/**
 * Whether a model may end the session instead: the workflow may end here too (STOP is on the menu after programs), and no request of the
 * submitter is pending.
 */
export const mayStop = ({
  offered,
  validPrograms,
  applied,
}: Pick<Menu, 'offered' | 'validPrograms' | 'applied'>): boolean =>
  offered.length > 0 && applied.length === 0 && validPrograms.includes(STOP);

const gateOpen = { fact: 'gate_open', is: true } as const;

/**
 * Whether the session would end at once: the validation gate is open, otherwise a validation comes first (phenix-agent.md#stop-conditions).
 */
export const endsAtOnce = ({ facts }: Pick<DescribedSession, 'facts'>): boolean => holds(gateOpen, facts);

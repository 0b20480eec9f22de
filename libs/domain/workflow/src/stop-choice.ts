import { holds } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import { STOP, type Menu } from './menu';

/**
 * Whether who chooses may end the session instead: the workflow may end here as well (STOP stands behind programs of the menu), and nothing
 * that the submitter asked for waits on it.
 */
export const mayStop = ({
  offered,
  validPrograms,
  applied,
}: Pick<Menu, 'offered' | 'validPrograms' | 'applied'>): boolean =>
  offered.length > 0 && applied.length === 0 && validPrograms.includes(STOP);

const gateOpen = { fact: 'gate_open', is: true } as const;

/** Whether the end would come at once: the validation gate is open, or a validation comes first (phenix-agent.md#stop-conditions). */
export const endsAtOnce = ({ facts }: Pick<DescribedSession, 'facts'>): boolean => holds(gateOpen, facts);

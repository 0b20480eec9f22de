import { Badge, Tooltip } from '@mantine/core';
import {
  IconAlertOctagon,
  IconBan,
  IconCircleCheck,
  IconCircleCheckFilled,
  IconCircleDashedCheck,
  IconCircleHalf2,
  IconCircleXFilled,
  IconClipboardCheck,
  IconClock,
  IconClockPause,
  IconCopy,
  IconHelpCircle,
  IconLoader2,
  IconServerOff,
  IconSquareFilled,
  IconSquareX,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { stateTexts } from '../texts/states';
import type { StateKind } from '../format/state-of';
import css from './state.module.css';
import { kinds } from '../theme/tones';

const icons: Readonly<Record<StateKind, TablerIcon>> = {
  waiting: IconClockPause,
  starting: IconLoader2,
  running: IconLoader2,
  cancelling: IconSquareX,
  solved: IconCircleCheckFilled,
  goal_reached: IconCircleCheck,
  unfinished: IconCircleDashedCheck,
  unsatisfactory: IconCircleHalf2,
  failed_science: IconCircleXFilled,
  failed_infrastructure: IconServerOff,
  rejected: IconBan,
  cancelled: IconSquareFilled,
  unknown: IconHelpCircle,
  checked: IconClipboardCheck,
  to_come: IconClock,
  duplicate: IconCopy,
};

/** Outcomes that share the colour of a stronger one. */
const outlined: ReadonlySet<StateKind> = new Set(['goal_reached', 'unfinished', 'unknown']);

/** An outcome of a newer gateway is unknown, whatever the types say. */
const known = <T,>(all: Readonly<Partial<Record<string, T>>>, kind: string): T | undefined => all[kind];

/** The state of a session, with an icon, a word and a colour, so that no colour must be distinguished. */
export const SessionState = ({ kind }: { readonly kind: StateKind }): ReactElement => {
  const Icon = known(icons, kind) ?? IconAlertOctagon;
  const { label, meaning } = known(stateTexts, kind) ?? { label: kind, meaning: kind };
  return (
    <Tooltip label={meaning}>
      <Badge
        component="span"
        className={css.state}
        data-state={kind}
        color={known(kinds, kind)?.[0] ?? 'gray'}
        variant={outlined.has(kind) ? 'outline' : 'light'}
        leftSection={<Icon size={16} aria-hidden="true" />}
      >
        {label}
      </Badge>
    </Tooltip>
  );
};

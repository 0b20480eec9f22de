import {
  IconClock,
  IconFileSearch,
  IconMessageChatbot,
  IconPlayerPlay,
  IconRefresh,
  IconReportAnalytics,
  IconRoute,
  type Icon,
} from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Operation } from '@fleet/contracts/results';
import { traceTexts } from '../../../texts/trace';
import css from './trace.module.css';

const icons: Readonly<Record<Operation['kind'], Icon>> = {
  cycle: IconRefresh,
  decision: IconRoute,
  request: IconMessageChatbot,
  wait: IconClock,
  program: IconPlayerPlay,
  analysis: IconFileSearch,
  assessment: IconReportAnalytics,
};
const marks: Readonly<Record<Operation['status'], string>> = { open: '●', done: '✓', failed: '✗' };

/** Icon of the operation's kind. */
export const KindIcon = ({ kind }: { readonly kind: Operation['kind'] }): ReactElement => {
  const Shown = icons[kind];
  return <Shown size={15} className={css.icon} aria-hidden="true" />;
};

/** The operation's status, by symbol and colour. */
export const StatusMark = ({ status }: { readonly status: Operation['status'] }): ReactElement => (
  <span className={css.mark} data-status={status} role="img" aria-label={traceTexts.statuses[status]}>
    {marks[status]}
  </span>
);

import { IconBolt, IconHistory, IconQuestionMark, type TablerIcon } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { JobStanding } from '@fleet/contracts';
import { queueTexts } from '../texts-queues';

const icons: Readonly<Record<JobStanding, TablerIcon>> = {
  due: IconBolt,
  stale: IconHistory,
  unknown: IconQuestionMark,
};

/** Whether a session still needs a job; what that means on hover. */
export const JobStandingMark = ({ standing }: { readonly standing: JobStanding }): ReactElement => {
  const Icon = icons[standing];
  const { label, meaning } = queueTexts.standings[standing];
  return (
    <span className={`state job-${standing}`} title={meaning}>
      <Icon size={14} aria-hidden="true" />
      {label}
    </span>
  );
};

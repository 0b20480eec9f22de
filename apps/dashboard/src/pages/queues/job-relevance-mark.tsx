import { Badge } from '@mantine/core';
import { IconBolt, IconHistory, IconQuestionMark, type TablerIcon } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { JobRelevance } from '@fleet/contracts/queues';
import { queueTexts } from '../../texts/queues';

const icons: Readonly<Record<JobRelevance, TablerIcon>> = {
  due: IconBolt,
  stale: IconHistory,
  unknown: IconQuestionMark,
};

/** Whether a session still needs a job, with an explanation on hover. */
export const JobRelevanceMark = ({ relevance }: { readonly relevance: JobRelevance }): ReactElement => {
  const Icon = icons[relevance];
  const { label, meaning } = queueTexts.relevances[relevance];
  return (
    <Badge
      component="span"
      data-testid="relevance"
      color={relevance === 'due' ? 'blue' : 'gray'}
      title={meaning}
      leftSection={<Icon size={14} aria-hidden="true" />}
    >
      {label}
    </Badge>
  );
};

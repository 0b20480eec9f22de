import { Group } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { Note } from './note';

/** A notice to every user, above the page or on the wall. */
export const Announcement = ({
  icon: Icon,
  testId,
  children,
}: {
  readonly icon: TablerIcon;
  readonly testId: string;
  readonly children: ReactNode;
}): ReactElement => (
  <Note color="yellow" c="yellow" role="status" data-testid={testId}>
    <Group component="span" gap={10} wrap="nowrap">
      <Icon size={18} aria-hidden="true" />
      <span>{children}</span>
    </Group>
  </Note>
);

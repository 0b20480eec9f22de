import { Skeleton } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState, type ReactElement } from 'react';
import type { CycleRecord, SessionView } from '@fleet/contracts/sessions';
import { logSummaryTexts } from '../../texts/written';

const LogSummary = lazyRouteComponent(() => import('./written/log-summary'), 'LogSummary');

/** The summary of a cycle's log, on request; empty while the log may grow. */
export const LogWords = ({
  session,
  cycle,
}: {
  readonly session: SessionView;
  readonly cycle: CycleRecord;
}): ReactElement => {
  const [isOpen, setOpen] = useState(false);
  if (cycle.result === undefined) return <></>;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{logSummaryTexts.open}</summary>
      {isOpen && (
        <Suspense fallback={<Skeleton height={200} />}>
          <LogSummary session={session} cycle={cycle.cycle} />
        </Suspense>
      )}
    </details>
  );
};

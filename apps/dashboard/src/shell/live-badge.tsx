import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { clockText } from '../format/times';
import { useLiveState } from '../live/live-provider';
import { liveMeanings, liveTexts } from '../texts';

/** Whether what the page shows is what there is. */
export const LiveBadge = (): ReactElement => {
  const state = useLiveState();
  const since = state.kind === 'stale' ? ` ${clockText(state.since)}` : '';
  return (
    <Tooltip label={liveMeanings[state.kind]} multiline maw={320}>
      <span className={`live live-${state.kind}`} role="status" aria-live="polite" data-testid="live">
        <span className="live-dot" aria-hidden="true" />
        {liveTexts[state.kind]}
        {since}
      </span>
    </Tooltip>
  );
};

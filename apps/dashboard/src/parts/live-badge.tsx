import { Badge, Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { clockText } from '../format/times';
import { useLiveState } from '../live/live-provider';
import { liveMeanings, liveTexts } from '../texts/shell';
import css from './live-badge.module.css';

const tones = { connecting: 'gray', live: 'green', polling: 'yellow', stale: 'red' } as const;

/** Whether the page is up to date. */
export const LiveBadge = (): ReactElement => {
  const state = useLiveState();
  const since = state.kind === 'stale' ? ` ${clockText(state.since)}` : '';
  return (
    <Tooltip label={liveMeanings[state.kind]} multiline maw={320}>
      <Badge
        component="span"
        color={tones[state.kind]}
        leftSection={<span className={css.dot} aria-hidden="true" />}
        data-live={state.kind}
        role="status"
        aria-live="polite"
        data-testid="live"
      >
        {liveTexts[state.kind]}
        {since}
      </Badge>
    </Tooltip>
  );
};

import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { SessionFit } from '@fleet/contracts';
import { metricLabel, metricText, type MetricDefinitions } from '@fleet/session-report';

const trends = {
  better: { Icon: IconArrowDownRight, Up: IconArrowUpRight, label: 'better than before' },
  worse: { Icon: IconArrowUpRight, Up: IconArrowDownRight, label: 'worse than before' },
  unchanged: { Icon: IconArrowRight, Up: IconArrowRight, label: 'as before' },
} as const;

/** Where a metric went, as an arrow with its words. */
export const Trend = ({
  trend,
  isUpBetter,
}: {
  readonly trend: NonNullable<SessionFit['trend']>;
  readonly isUpBetter: boolean;
}): ReactElement => {
  const { Icon, Up, label } = trends[trend];
  const Arrow = isUpBetter ? Up : Icon;
  return (
    <span className={`trend trend-${trend}`} title={label}>
      <Arrow size={14} aria-label={label} />
    </span>
  );
};

export const qualityClass = (quality: string): string => `quality quality-${quality.replace(' ', '-')}`;

/** How well a result fits: R-work / R-free or a correlation, where it went, and what it is worth at its resolution. */
export const FitValue = ({
  fit: { metric, value, rWork, quality, trend },
  definitions,
}: {
  readonly fit: SessionFit;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <span className="fit">
    {metric !== 'r_free' && <span className="quiet small">{metricLabel(metric, definitions)}</span>}
    <span className="number">
      {rWork === undefined ? '' : `${metricText('r_work', rWork, definitions)} / `}
      {metricText(metric, value, definitions)}
    </span>
    {trend !== undefined && <Trend trend={trend} isUpBetter={definitions[metric]?.better === 'higher'} />}
    {quality !== undefined && <span className={`small ${qualityClass(quality)}`}>{quality}</span>}
  </span>
);

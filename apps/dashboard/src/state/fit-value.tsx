import { Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import type { SessionFit } from '@fleet/contracts/sessions';
import { metricLabel, metricText, type MetricDefinitions } from '@fleet/session-report';
import css from './state.module.css';
import type { Tone } from '../theme/tones';

const trends = {
  better: { Icon: IconArrowDownRight, Up: IconArrowUpRight, label: 'better than before' },
  worse: { Icon: IconArrowUpRight, Up: IconArrowDownRight, label: 'worse than before' },
  unchanged: { Icon: IconArrowRight, Up: IconArrowRight, label: 'as before' },
} as const;

/** The trend of a metric, as an arrow with a text. */
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
    <Judged as={trend}>
      <Arrow size={14} aria-label={label} />
    </Judged>
  );
};

const tones: Readonly<Partial<Record<string, Tone>>> = {
  good: 'green',
  better: 'green',
  acceptable: 'teal',
  'needs improvement': 'red',
  worse: 'red',
};

/** A value coloured by its rating or trend. */
export const Judged = ({ as, children }: { readonly as: string; readonly children: ReactNode }): ReactElement => (
  <Text component="span" c={tones[as] ?? 'inherit'}>
    {children}
  </Text>
);

/** The fit of a result: R-work / R-free or a correlation, its trend, and its rating at this resolution. */
export const FitValue = ({
  fit: { metric, value, rWork, quality, trend },
  definitions,
}: {
  readonly fit: SessionFit;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <span className={css.fit} data-fit>
    {metric !== 'r_free' && <span className="quiet small">{metricLabel(metric, definitions)}</span>}
    <span className="number">
      {rWork === undefined ? '' : `${metricText('r_work', rWork, definitions)} / `}
      {metricText(metric, value, definitions)}
    </span>
    {trend !== undefined && <Trend trend={trend} isUpBetter={definitions[metric]?.better === 'higher'} />}
    {quality !== undefined && (
      <span className="small">
        <Judged as={quality}>{quality}</Judged>
      </span>
    )}
  </span>
);

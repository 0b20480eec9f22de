import type { ReactElement } from 'react';
import type UPlot from 'uplot';
import { metricLabel, metricText, type MetricDefinitions } from '@fleet/session-report';
import type { FitSeries } from '../../format/fit-series';
import { colourOf, plainAxis, Plot, type PlotOptions } from '../../parts/plot';
import { sessionTexts } from '../../texts/session';

interface Charted {
  readonly series: FitSeries;
  readonly definitions: MetricDefinitions;
  readonly onCycle: (cycle: number) => void;
}

const optionsOf = ({ series, definitions, onCycle }: Charted): PlotOptions => {
  const lines = ['--mantine-color-blue-text', '--mantine-color-yellow-text'].map(colourOf);
  const axis = plainAxis();
  return {
    scales: { x: { time: false, range: (_, min, max) => [min - 0.3, max + 0.3] } },
    axes: [
      { ...axis, incrs: [1, 2, 5, 10], label: sessionTexts.cycle, labelSize: 18, size: 28 },
      { ...axis, size: 54, values: (_, ticks) => ticks.map((tick) => tick.toFixed(2)) },
    ],
    cursor: { points: { size: 9 }, drag: { x: false, y: false } },
    series: [
      { label: sessionTexts.cycle },
      ...series.metrics.map(({ name }, at) => ({
        label: metricLabel(name, definitions),
        stroke: lines[at] ?? colourOf('--mantine-color-dimmed'),
        width: 2,
        spanGaps: true,
        points: { show: true, size: 7 },
        value: (_: UPlot, value: number | null) => (value === null ? '–' : metricText(name, value, definitions)),
      })),
      ...(series.target === undefined
        ? []
        : [
            {
              label: 'target',
              stroke: colourOf('--mantine-color-green-text'),
              dash: [6, 5],
              width: 1.5,
              points: { show: false },
            },
          ]),
    ],
    hooks: {
      ready: [
        (plot) =>
          plot.over.addEventListener('click', () => {
            const cycle = series.cycles[plot.cursor.idx ?? -1];
            if (cycle !== undefined) onCycle(cycle);
          }),
      ],
    },
  };
};

const dataOf = ({ cycles, metrics, target }: FitSeries): UPlot.AlignedData => [
  [...cycles],
  ...metrics.map(({ values }) => [...values]),
  ...(target === undefined ? [] : [cycles.map(() => target)]),
];

/** Redrawn after each change: a session has at most some hundred points. A click leads to the cycle. */
export const FitChart = (charted: Charted): ReactElement => (
  <Plot
    drawn={JSON.stringify(charted.series)}
    options={() => optionsOf(charted)}
    data={() => dataOf(charted.series)}
    height={220}
    sentence={sessionTexts.chart}
    testId="chart"
  />
);

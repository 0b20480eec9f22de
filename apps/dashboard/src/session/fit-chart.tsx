import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import UPlot from 'uplot';
import { metricLabel, metricText, type MetricDefinitions } from '@fleet/session-report';
import type { FitSeries } from '../format/fit-series';
import { texts } from '../texts';

interface Charted {
  readonly series: FitSeries;
  readonly definitions: MetricDefinitions;
  readonly onCycle: (cycle: number) => void;
}

const height = 220;

const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const optionsOf = ({ series, definitions, onCycle }: Charted, width: number): UPlot.Options => {
  const [text, grid] = [colourOf('--quiet'), colourOf('--line')];
  const lines = ['--series-1', '--series-2'].map(colourOf);
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
  return {
    width,
    height,
    scales: { x: { time: false, range: (_, min, max) => [min - 0.3, max + 0.3] } },
    axes: [
      { ...axis, incrs: [1, 2, 5, 10], label: texts.session.cycle, labelSize: 18, size: 28 },
      { ...axis, size: 54, values: (_, ticks) => ticks.map((tick) => tick.toFixed(2)) },
    ],
    cursor: { points: { size: 9 }, drag: { x: false, y: false } },
    series: [
      { label: texts.session.cycle },
      ...series.metrics.map(({ name }, at) => ({
        label: metricLabel(name, definitions),
        stroke: lines[at] ?? text,
        width: 2,
        spanGaps: true,
        points: { show: true, size: 7 },
        value: (_: UPlot, value: number | null) => (value === null ? '–' : metricText(name, value, definitions)),
      })),
      ...(series.target === undefined
        ? []
        : [{ label: 'target', stroke: colourOf('--target'), dash: [6, 5], width: 1.5, points: { show: false } }]),
    ],
    hooks: {
      ready: [
        (plot) => {
          plot.over.addEventListener('click', () => {
            const cycle = series.cycles[plot.cursor.idx ?? -1];
            if (cycle !== undefined) onCycle(cycle);
          });
        },
      ],
    },
  };
};

const dataOf = ({ cycles, metrics, target }: FitSeries): UPlot.AlignedData => [
  [...cycles],
  ...metrics.map(({ values }) => [...values]),
  ...(target === undefined ? [] : [cycles.map(() => target)]),
];

/** Drawn again when something has changed: a session has at most some hundred points. A click leads to the cycle. */
export const FitChart = (charted: Charted): ReactElement => {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const drawn = JSON.stringify(charted.series);
  useEffect(() => {
    const frame = place.current;
    if (frame === null) return undefined;
    const plot = new UPlot(optionsOf(charted, frame.clientWidth), dataOf(charted.series), frame);
    const watch = new ResizeObserver(() => {
      plot.setSize({ width: frame.clientWidth, height });
    });
    watch.observe(frame);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [drawn, scheme]);
  return <div ref={place} className="chart" role="img" aria-label={texts.session.chart} data-testid="chart" />;
};

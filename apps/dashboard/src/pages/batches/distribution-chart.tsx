import type { ReactElement } from 'react';
import UPlot from 'uplot';
import { colourOf, plainAxis, Plot, type PlotOptions } from '../../parts/plot';
import { batchTexts } from '../../texts/batches';
import type { Histogram } from './histogram';

const decimalsOf = (step: number): number => Math.max(0, Math.ceil(-Math.log10(step)));

const optionsOf = ({ step }: Histogram, what: string): PlotOptions => {
  const fill = colourOf('--mantine-color-blue-text');
  const axis = plainAxis();
  const decimals = decimalsOf(step);
  return {
    scales: {
      x: { time: false, range: (_, min, max) => [min - step, max + step] },
      y: { range: (_, __, max) => [0, Math.max(1, max) * 1.08] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 26, values: (_, ticks) => ticks.map((tick) => tick.toFixed(decimals)) },
      { ...axis, size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
    ],
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    series: [
      {
        label: what,
        value: (_: UPlot, middle: number | null) =>
          middle === null ? '–' : `${(middle - step / 2).toFixed(decimals)} – ${(middle + step / 2).toFixed(decimals)}`,
      },
      {
        label: batchTexts.datasets,
        fill,
        stroke: fill,
        width: 0,
        ...(UPlot.paths.bars !== undefined && { paths: UPlot.paths.bars({ size: [0.9, 60] }) }),
        points: { show: false },
      },
    ],
  };
};

/** A histogram, with a sentence for screen readers. */
export const DistributionChart = ({
  histogram,
  what,
  summary,
}: {
  readonly histogram: Histogram;
  readonly what: string;
  readonly summary: string;
}): ReactElement => (
  <Plot
    drawn={JSON.stringify([histogram, what])}
    options={() => optionsOf(histogram, what)}
    data={() => [histogram.begins.map((begin) => begin + histogram.step / 2), [...histogram.counts]]}
    height={170}
    kind="distribution"
    sentence={summary}
  />
);

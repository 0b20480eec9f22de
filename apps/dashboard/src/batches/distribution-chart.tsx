import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import UPlot from 'uplot';
import { batchTexts } from '../texts-batches';
import type { Histogram } from './histogram';

const height = 170;
const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const decimalsOf = (step: number): number => Math.max(0, Math.ceil(-Math.log10(step)));

const optionsOf = ({ step }: Histogram, what: string, width: number): UPlot.Options => {
  const [text, grid, fill] = ['--quiet', '--line', '--series-1'].map(colourOf);
  const axis = { stroke: text ?? '', grid: { stroke: grid ?? '', width: 1 }, ticks: { show: false } };
  const decimals = decimalsOf(step);
  return {
    width,
    height,
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
        ...(fill !== undefined && { fill, stroke: fill }),
        width: 0,
        ...(UPlot.paths.bars !== undefined && { paths: UPlot.paths.bars({ size: [0.9, 60] }) }),
        points: { show: false },
      },
    ],
  };
};

/** How often values come, as bars; the sentence says the same to who cannot see them. */
export const DistributionChart = ({
  histogram,
  what,
  told,
}: {
  readonly histogram: Histogram;
  readonly what: string;
  readonly told: string;
}): ReactElement => {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const drawn = JSON.stringify(histogram);
  useEffect(() => {
    const frame = place.current;
    if (frame === null) return undefined;
    const middles = histogram.begins.map((begin) => begin + histogram.step / 2);
    const plot = new UPlot(optionsOf(histogram, what, frame.clientWidth), [middles, [...histogram.counts]], frame);
    const watch = new ResizeObserver(() => {
      plot.setSize({ width: frame.clientWidth, height });
    });
    watch.observe(frame);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [drawn, scheme, what]);
  return <div ref={place} className="chart distribution" role="img" aria-label={told} />;
};

import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import UPlot from 'uplot';
import { plainLine } from '@fleet/session-report';
import { qualityTexts } from '../texts-quality';
import type { ResidueB } from './residue-b';

const height = 220;

const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const optionsOf = (residues: readonly ResidueB[], width: number): UPlot.Options => {
  const nameAt = (at: number): string => plainLine(residues[at]?.name ?? '');
  const axis = { stroke: colourOf('--quiet'), grid: { stroke: colourOf('--line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height,
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
    axes: [
      { ...axis, space: 90, values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? nameAt(tick) : '')) },
      { ...axis, size: 48 },
    ],
    cursor: { drag: { x: false, y: false } },
    series: [
      { label: qualityTexts.residue, value: (_, at) => nameAt(at) },
      {
        label: qualityTexts.b,
        stroke: colourOf('--series-1'),
        width: 1.5,
        points: { show: false },
        value: (_, b) => (b as number | null)?.toFixed(1) ?? '–',
      },
    ],
  };
};

/** A line along the residues. */
export const ResidueChart = ({ residues }: { readonly residues: readonly ResidueB[] }): ReactElement => {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const frame = place.current;
    if (frame === null) return undefined;
    const data: UPlot.AlignedData = [residues.map((_, at) => at), residues.map(({ b }) => b)];
    const plot = new UPlot(optionsOf(residues, frame.clientWidth), data, frame);
    const watch = new ResizeObserver(() => {
      plot.setSize({ width: frame.clientWidth, height });
    });
    watch.observe(frame);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [residues, scheme]);
  return <div ref={place} className="chart" role="img" aria-label={qualityTexts.chart} data-testid="residues" />;
};

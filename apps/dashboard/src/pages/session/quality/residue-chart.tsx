import type { ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { colourOf, plainAxis, Plot, type PlotOptions } from '../../../parts/plot';
import { qualityTexts } from '../../../texts/quality';
import type { ResidueB } from './residue-b';

const optionsOf = (residues: readonly ResidueB[]): PlotOptions => {
  const nameAt = (at: number): string => plainLine(residues[at]?.name ?? '');
  const axis = plainAxis();
  return {
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
        stroke: colourOf('--mantine-color-blue-text'),
        width: 1.5,
        points: { show: false },
        value: (_, b) => (b as number | null)?.toFixed(1) ?? '–',
      },
    ],
  };
};

/** A line along the residues. */
export const ResidueChart = ({ residues }: { readonly residues: readonly ResidueB[] }): ReactElement => (
  <Plot
    drawn={residues}
    options={() => optionsOf(residues)}
    data={() => [residues.map((_, at) => at), residues.map(({ b }) => b)]}
    height={220}
    sentence={qualityTexts.chart}
    testId="residues"
  />
);

import type { ReactElement } from 'react';
import type UPlot from 'uplot';
import { colourOf, plainAxis, Plot, type PlotOptions } from '../../parts/plot';
import { statisticsTexts } from '../../texts/statistics';
import type { Bars } from './statistics-series';

/** Pixels of a label's character, of a line's height, and of the space beside the bars. */
const [letter, line, beside] = [6.5, 16, 80];
/** Maximum characters of a name below a bar. */
const longest = 16;

const [minute, hour, day] = [60, 3600, 86_400];

/** What an axis is divided into. */
const steps: Readonly<Record<Bars['unit'], number[]>> = {
  sessions: [1, 2, 5].flatMap((step) => [0, 1, 2, 3, 4, 5].map((power) => step * 10 ** power)),
  percent: [25],
  seconds: [
    ...[1, 2, 5, 10, 30].flatMap((step) => [step, step * minute]),
    ...[1, 2, 6, 12].map((step) => step * hour),
    ...[1, 2, 5, 10, 20, 50, 100].map((step) => step * day),
  ],
  hours: [1, 2, 5].flatMap((step) => [-1, 0, 1, 2, 3, 4, 5].map((power) => step * 10 ** power)),
};
for (const one of Object.values(steps)) one.sort((less, more) => less - more);

const units = [
  [day, 'd'],
  [hour, 'h'],
  [minute, 'min'],
] as const;

/** Labels of the grid lines, all in the unit of their distance. */
const tickText = (unit: Bars['unit'], value: number, step: number): string => {
  if (unit === 'percent') return `${String(value)} %`;
  if (unit !== 'seconds') return String(Number(value.toFixed(1)));
  const [size, name] = units.find(([length]) => step >= length) ?? [1, 's'];
  return `${String(value / size)} ${name}`;
};

const shortLines = (label: string): readonly string[] =>
  label.split('\n').map((text) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text));

/** Each part begins at the end of the visible parts below it. */
const partPaths =
  (bars: Bars): UPlot.Series.PathBuilder =>
  (plot, part, first, last) => {
    const fill = new Path2D();
    const width = Math.max(1, Math.min(60 * devicePixelRatio, (plot.bbox.width / bars.labels.length) * 0.75));
    for (let at = first; at <= last; at += 1) {
      const below = bars.series
        .slice(0, part - 1)
        .reduce((sum, { values }, one) => sum + (plot.series[one + 1]?.show === false ? 0 : (values[at] ?? 0)), 0);
      const value = bars.series[part - 1]?.values[at] ?? 0;
      const [bottom, top] = [below, below + value].map((y) => plot.valToPos(y, 'y', true));
      if (value > 0 && bottom !== undefined && top !== undefined)
        fill.rect(plot.valToPos(at, 'x', true) - width / 2, top, width, bottom - top);
    }
    return { fill, stroke: null };
  };

/** The names of the groups. */
const groupAxis = ({ by, unit, labels }: Bars): UPlot.Axis => {
  const longestOf = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length)) * letter;
  const widest = longestOf(labels.flatMap(shortLines)) + 8;
  // Months are left out where there is no room, names are turned.
  const isTurned = (plot: UPlot): boolean => by !== 'month' && widest * labels.length > plot.width - beside;
  return {
    grid: { show: false },
    splits: (plot) => {
      const every = Math.ceil((labels.length * (isTurned(plot) ? line : widest)) / (plot.width - beside));
      return labels.flatMap((_, at) => (at % every === 0 ? at : []));
    },
    values: (plot, splits) => splits.map((at) => shortLines(labels[at] ?? '').join(isTurned(plot) ? ', ' : '\n')),
    rotate: (plot) => (isTurned(plot) ? -90 : 0),
    size: (plot) => {
      if (isTurned(plot)) return longestOf(labels.map((label) => shortLines(label).join(', '))) + 14;
      return unit === 'percent' ? 42 : 26;
    },
  };
};

const optionsOf = (bars: Bars): PlotOptions => {
  const { by, unit, labels, series } = bars;
  const axis = plainAxis();
  const top = Math.max(...labels.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)));
  return {
    scales: {
      x: { time: false, range: () => [-0.5, labels.length - 0.5] },
      y: { range: () => [0, unit === 'percent' ? 100 : Math.max(top * 1.05, unit === 'sessions' ? 1 : 0.1)] },
    },
    axes: [
      { ...axis, ...groupAxis(bars) },
      {
        ...axis,
        size: 58,
        incrs: steps[unit],
        values: (_, ticks, __, ___, step) => ticks.map((value) => tickText(unit, value, step)),
      },
    ],
    cursor: { points: { show: false }, drag: { x: false, y: false }, y: false },
    series: [
      {
        label: statisticsTexts.groupings[by],
        value: (_, __, ___, at) => (at === null ? '–' : (labels[at] ?? '').replace('\n', ', ')),
      },
      ...series.map(({ label, colour, texts }) => ({
        label,
        fill: colourOf(colour),
        paths: partPaths(bars),
        points: { show: false },
        value: (_: UPlot, __: number | null, ___: number, at: number | null) =>
          at === null ? '–' : (texts[at] ?? '–'),
      })),
    ],
    // Hiding or showing a part moves those above it.
    hooks: {
      setSeries: [(plot) => plot.redraw()],
    },
  };
};

/** Grouped bars, with a text alternative. */
export const BarChart = ({ bars, sentence }: { readonly bars: Bars; readonly sentence: string }): ReactElement => (
  <Plot
    drawn={JSON.stringify(bars)}
    options={() => optionsOf(bars)}
    data={() => [bars.labels.map((_, at) => at), ...bars.series.map(({ values }) => [...values])]}
    height={240}
    kind="bars"
    sentence={sentence}
  />
);

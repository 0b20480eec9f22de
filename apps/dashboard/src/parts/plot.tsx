import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, type ReactElement } from 'react';
import UPlot from 'uplot';
import css from './plot.module.css';

/** A colour of the theme. @param name of its variable, such as `--line` */
export const colourOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The style of every axis. */
export const plainAxis = (): UPlot.Axis => ({
  stroke: colourOf('--mantine-color-dimmed'),
  grid: { stroke: colourOf('--mantine-color-default-border'), width: 1 },
  ticks: { show: false },
});

/** Options of a plot, whose size is that of its frame. */
export type PlotOptions = Omit<UPlot.Options, 'width' | 'height'>;

/** A plot as wide as its frame, redrawn when its content or the colour scheme changes. */
export const Plot = ({
  drawn,
  options,
  data,
  height,
  kind,
  sentence,
  testId,
}: {
  /** The content: a change causes a redraw. */
  readonly drawn: unknown;
  readonly options: () => PlotOptions;
  readonly data: () => UPlot.AlignedData;
  /** Pixels. */
  readonly height: number;
  readonly kind?: 'bars' | 'distribution' | undefined;
  /** A text alternative. */
  readonly sentence: string;
  readonly testId?: string;
}): ReactElement => {
  const frameRef = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const draw = useEffectEvent(
    (frame: HTMLDivElement) => new UPlot({ ...options(), width: frame.clientWidth, height }, data(), frame),
  );
  useEffect(() => {
    const frame = frameRef.current;
    if (frame === null) return undefined;
    const plot = draw(frame);
    const watch = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height }));
    watch.observe(frame);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [drawn, height, scheme]);
  return (
    <div ref={frameRef} className={css.plot} data-kind={kind} role="img" aria-label={sentence} data-testid={testId} />
  );
};

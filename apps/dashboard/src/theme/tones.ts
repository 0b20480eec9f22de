import type { StateKind } from '../format/state-of';

/** The text and background colours of each tone, light and dark; each pair has the contrast that axe requires. */
export const tones = {
  blue: { light: ['#14549e', '#e3eefb'], dark: ['#8dbdf5', '#1a2d44'] },
  green: { light: ['#1b6b35', '#e2f4e7'], dark: ['#7bd197', '#17321f'] },
  red: { light: ['#b02323', '#fdeaea'], dark: ['#ff9c9c', '#431f21'] },
  yellow: { light: ['#855100', '#fdf1dc'], dark: ['#f0bb68', '#3b2c13'] },
  teal: { light: ['#0c6570', '#dff3f5'], dark: ['#74d0da', '#12343a'] },
  gray: { light: ['#4c5663', '#eceff2'], dark: ['#b9c3ce', '#2a323c'] },
  grape: { light: ['#7b2f8f', '#f6e9fa'], dark: ['#dba4ea', '#37213e'] },
} as const;

/** A colour of the theme with a meaning. */
export type Tone = keyof typeof tones;

/** The colour of each state of a session or a row, and its strength in a plot (percent). */
export const kinds: Readonly<Record<StateKind, readonly [Tone, number]>> = {
  solved: ['green', 100],
  goal_reached: ['green', 55],
  unfinished: ['teal', 50],
  unsatisfactory: ['teal', 100],
  unknown: ['grape', 100],
  failed_science: ['red', 100],
  failed_infrastructure: ['red', 65],
  rejected: ['red', 35],
  starting: ['yellow', 100],
  running: ['blue', 100],
  cancelling: ['gray', 100],
  waiting: ['gray', 100],
  cancelled: ['gray', 60],
  checked: ['gray', 25],
  to_come: ['gray', 25],
  duplicate: ['gray', 25],
};

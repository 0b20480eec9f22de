import type { Finding, FindingLevel } from '@fleet/contracts/administration';

export const CHECKUPS = Symbol('Checkups');

/** Looks at one part of a site, as somebody would who knows it well. */
export interface Checkup {
  /** What it looks at, for example `redis`: what a finding is called by when it gives no answer. */
  readonly area: string;
  /** May throw, and may take for ever where a file server is away. */
  check(): Promise<readonly Finding[]>;
}

/** Why a finding matters, and what to do about it. */
export type Advice = Required<Pick<Finding, 'why' | 'remedy'>>;

/** A finding, with its advice unless all is well. */
export const finding = (check: string, level: FindingLevel, seen: string, advice: Advice): Finding => ({
  check,
  level,
  seen,
  ...(level !== 'ok' && advice),
});

/** A finding that nothing is wrong, where nothing else could be said. */
export const allWell = (check: string, seen: string): Finding => ({ check, level: 'ok', seen });

/** The level of a figure that should be small. */
export const levelOf = (
  value: number,
  { warning, error }: Readonly<Record<'warning' | 'error', number>>,
): FindingLevel => {
  if (value >= error) return 'error';
  return value >= warning ? 'warning' : 'ok';
};

/** The middle one of some figures. */
export const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

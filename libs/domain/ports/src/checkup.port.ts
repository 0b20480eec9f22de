import type { Finding, FindingLevel } from '@fleet/contracts/administration';

export const CHECKUPS = Symbol('Checkups');

/** Checks one part of a site, as an expert would. */
export interface Checkup {
  /** The checked part, for example `redis`; a finding about a check that fails has this name. */
  readonly area: string;
  /** May throw, and may never return if a file server hangs. */
  check(): Promise<readonly Finding[]>;
}

/** Why a finding matters, and what to do about it. */
export type Advice = Required<Pick<Finding, 'why' | 'remedy'>>;

/** Makes a finding, with its advice unless the level is ok. */
export const finding = (check: string, level: FindingLevel, seen: string, advice: Advice): Finding => ({
  check,
  level,
  seen,
  ...(level !== 'ok' && advice),
});

/** A finding without problems, for checks that cannot find anything worse. */
export const allWell = (check: string, seen: string): Finding => ({ check, level: 'ok', seen });

/** The level of a figure that should be small. */
export const levelOf = (
  value: number,
  { warning, error }: Readonly<Record<'warning' | 'error', number>>,
): FindingLevel => {
  if (value >= error) return 'error';
  return value >= warning ? 'warning' : 'ok';
};

/** The median. */
export const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

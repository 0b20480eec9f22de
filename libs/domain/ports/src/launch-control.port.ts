export const LAUNCH_CONTROL = Symbol('LaunchControl');

export const launchModes = ['open', 'paused', 'draining'] as const;
/**
 * - `open`: programs are launched;
 * - `paused`: none is, until somebody resumes;
 * - `draining`: the same, on the way to a stop of the service (an upgrade).
 *
 * Running programs go on in each of them, and so do decisions and analyses.
 */
export type LaunchMode = (typeof launchModes)[number];

export interface LaunchState {
  readonly mode: LaunchMode;
  /** One sentence, shown to whoever waits; empty: none was given. */
  readonly reason: string;
  /** Who said so; empty: nobody was named, or it never changed. */
  readonly by: string;
  /** ISO 8601; empty: it never changed. */
  readonly since: string;
}

/** Whether programs may be launched, for all executors. Every implementation passes `launchControlContract` in libs/testing. */
export interface LaunchControl {
  read(): Promise<LaunchState>;
  /** Takes effect for every launch that takes its place (`RunSlots.take`) afterwards. Saying the same mode again keeps `since`. */
  set(state: Omit<LaunchState, 'since'>): Promise<LaunchState>;
}

import type { StandingView } from '@fleet/contracts';
import { durationText } from './duration-text';

/**
 * Where a program stands that waits for a slot, in one sentence without its end.
 * @param now milliseconds since the epoch
 */
export const standingText = (standing: StandingView, now: number): string => {
  const { because, position, of, oldestSince, estimatedStart } = standing;
  const oldest = durationText(Math.max(0, now - Date.parse(oldestSince)));
  const start =
    estimatedStart === undefined
      ? ''
      : `; at this pace it starts in about ${durationText(Math.max(0, Date.parse(estimatedStart) - now))}`;
  return `${because}: number ${String(position)} of ${String(of)} in line, the oldest for ${oldest}${start}`;
};

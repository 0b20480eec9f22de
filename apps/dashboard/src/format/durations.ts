import { durationText as exact } from '@fleet/session-report';

/** A program's time for people; nothing for one that has not begun. */
export const durationText = (milliseconds: number): string => (milliseconds <= 0 ? '' : exact(milliseconds));

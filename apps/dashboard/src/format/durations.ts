import { durationText as exact } from '@fleet/session-report';

/** A program's duration as text; empty before its start. */
export const durationText = (milliseconds: number): string => (milliseconds <= 0 ? '' : exact(milliseconds));

/** Moves that the feed of all sessions keeps at least: a minute of the busiest facility, hours of a quiet one; a few hundred bytes each. */
export const FEED_LENGTH = 5_000;

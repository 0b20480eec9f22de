import type { AdviceReading } from '@fleet/contracts/guidance';

export type { AdviceReading };

/** One thing that was understood. */
export type UnderstoodWish = AdviceReading['understood'][number];

/** A program that the text wants to run, and how often; more than once for refinements alone. */
export type AskedProgram = NonNullable<AdviceReading['asked']>[number];

/** A part of the text that no rule follows, and why. */
export type UnfollowedWords = AdviceReading['notFollowed'][number];

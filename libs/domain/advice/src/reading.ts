import type { AdviceReading } from '@fleet/contracts/guidance';

export type { AdviceReading };

/** One directive that was understood. */
export type UnderstoodWish = AdviceReading['understood'][number];

/** A program that the text requests, and how often; more than once only for refinements. */
export type AskedProgram = NonNullable<AdviceReading['asked']>[number];

/** A part of the text without a matching rule, and the reason. */
export type UnfollowedWords = AdviceReading['notFollowed'][number];

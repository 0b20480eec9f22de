import type { AdviceReading } from '@fleet/contracts/guidance';

export type { AdviceReading };

/** One directive that was understood. */
export type UnderstoodDirective = AdviceReading['understood'][number];

/** A program that the text requests, and how often; more than once only for refinements. */
export type RequestedProgram = NonNullable<AdviceReading['requestedPrograms']>[number];

/** A part of the text without a matching rule, and the reason. */
export type UnfollowedWords = AdviceReading['notFollowed'][number];

import type { Address, BodyOf } from '@fleet/api-client';

/** What a person typed, or a file holds, as the body of an operation: the gateway says what is wrong with it, not the compiler. */
export const typedBody = <A extends Address>(body: object): BodyOf<A> => body as BodyOf<A>;

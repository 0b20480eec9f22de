import type { Address, BodyOf } from '@fleet/api-client';

/** A request body typed by a user or read from a file: the gateway validates it, not the compiler. */
export const typedBody = <A extends Address>(body: object): BodyOf<A> => body as BodyOf<A>;

import type { Principal } from '@fleet/contracts/access';

/**
 * The actor of a change: the caller. Only with open access the name in the body is used.
 * @param given name in the body
 */
export const doneBy = ({ id }: Principal, given: string): string => (id === '' ? given.trim() : id);

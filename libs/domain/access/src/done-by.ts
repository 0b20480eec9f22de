import type { Principal } from '@fleet/contracts/access';

/**
 * Who does something: whoever asks. Only an open gateway believes what a body says.
 * @param given what the body says
 */
export const doneBy = ({ id }: Principal, given: string): string => (id === '' ? given.trim() : id);

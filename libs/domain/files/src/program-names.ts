import { shortName } from '@fleet/contracts/sessions';

/** Each program once, without `phenix.`. */
export const programNames = (names: readonly string[]): string => [...new Set(names)].map(shortName).join(', ');

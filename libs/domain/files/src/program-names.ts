import { shortName } from '@fleet/knowledge-model';

/** Each program once, without `phenix.`. */
export const programNames = (names: readonly string[]): string => [...new Set(names)].map(shortName).join(', ');

/** The system's code of an error (`ENOENT`), by its shape: `instanceof` does not survive a second copy of a class. */
export const errnoOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** The system's name of an error of a file operation, for example `ENOENT`; undefined for anything else. */
export const errnoOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
};

/**
 * JSON from the API server. Missing or malformed fields are read as absent, because a status is filled in step by step.
 */
export type Json = Readonly<Record<string, unknown>>;

export const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectIn) : []);
export const wordIn = (value: unknown): string => (typeof value === 'string' ? value : '');
export const wordsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(objectIn(value)).map(([key, content]) => [key, wordIn(content)]));

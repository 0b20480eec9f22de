import { isRecord } from '@fleet/problems';

/**
 * The file paths in a body, unchecked. Their indexes stay the same, so that a later problem names the entry by its index in the request.
 * Entries that are not a string were already reported.
 */
export const filesOf = (body: unknown): readonly string[] => {
  const files: unknown = isRecord(body) ? body.files : undefined;
  return Array.isArray(files) ? files.map((entry: unknown) => (typeof entry === 'string' ? entry : '')) : [];
};

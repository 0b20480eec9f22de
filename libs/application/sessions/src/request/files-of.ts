import { isRecord } from '@fleet/problems';

/**
 * The paths of a body; what is in them is not looked at. Places are kept, so that a later problem names the entry by the number it has
 * in the request; what is not a path was reported.
 */
export const filesOf = (body: unknown): readonly string[] => {
  const files: unknown = isRecord(body) ? body.files : undefined;
  return Array.isArray(files) ? files.map((entry: unknown) => (typeof entry === 'string' ? entry : '')) : [];
};

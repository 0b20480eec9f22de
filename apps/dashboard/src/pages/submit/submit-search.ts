/** URL parameters of the submission pages. */
export interface SubmitSearch {
  /** Absent: the data folders. */
  readonly folder?: string;
  /** The session to submit again. */
  readonly from?: string;
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-z]{26}$/.test(value);

export const readSubmitSearch = ({ folder, from }: Readonly<Record<string, unknown>>): SubmitSearch => ({
  ...(typeof folder === 'string' && folder.startsWith('/') && { folder }),
  ...(isId(from) && { from }),
});

/** Another folder of the same submission. */
export const folderSearch = (folder: string | undefined, from: string | undefined): SubmitSearch => ({
  ...(folder !== undefined && { folder }),
  ...(from !== undefined && { from }),
});

export interface ManifestSearch {
  /** The batch in which the rows were validated. */
  readonly check?: string;
}

export const readManifestSearch = ({ check }: Readonly<Record<string, unknown>>): ManifestSearch =>
  isId(check) ? { check } : {};

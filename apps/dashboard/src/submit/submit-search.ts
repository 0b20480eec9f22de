/** What the pages that submit show, as their addresses say it. */
export interface SubmitSearch {
  /** Absent: the data folders. */
  readonly folder?: string;
}

export const readSubmitSearch = ({ folder }: Readonly<Record<string, unknown>>): SubmitSearch =>
  typeof folder === 'string' && folder.startsWith('/') ? { folder } : {};

export interface ManifestSearch {
  /** The batch in which the rows were checked. */
  readonly check?: string;
}

export const readManifestSearch = ({ check }: Readonly<Record<string, unknown>>): ManifestSearch =>
  typeof check === 'string' && /^[0-9a-z]{26}$/.test(check) ? { check } : {};

import type { SessionFile } from '@fleet/contracts/sessions';

export const FILE_INSPECTOR = Symbol('FileInspector');

export interface FileOrigin {
  readonly cycle: number;
  readonly program?: string;
}

/** Detects the type and content of a file. Reads headers and a bounded part only, whatever the file's size. */
export interface FileInspector {
  /**
   * @throws Fault `file.missing`, `file.empty`, `file.unreadable`, `file.not_regular`, or `file.corrupt` (an invalid MTZ file), each with the
   * path as its field.
   * @param root folder that must contain the file, without a link on the path: then the file is pinned; absent: it is not
   */
  inspect(path: string, origin: FileOrigin, root?: string): Promise<SessionFile>;
}

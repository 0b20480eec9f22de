import type { SessionFile } from '@fleet/contracts/sessions';

export const FILE_INSPECTOR = Symbol('FileInspector');

export interface FileOrigin {
  readonly cycle: number;
  readonly program?: string;
}

/** Reads what a file is. Reads headers and a bounded part only, whatever the file's size. */
export interface FileInspector {
  /**
   * @throws Fault `file.missing`, `file.empty`, `file.unreadable`, `file.not_regular`, or `file.corrupt` (an MTZ that is not one),
   * each with the path as its field.
   * @param root folder that the file has to lie below, without a link on the way: then it is pinned; absent: it is not
   */
  inspect(path: string, origin: FileOrigin, root?: string): Promise<SessionFile>;
}

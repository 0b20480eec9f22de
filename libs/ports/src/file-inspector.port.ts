import type { SessionFile } from '@fleet/contracts';

export const FILE_INSPECTOR = Symbol('FileInspector');

/** Reads what a file is. Reads headers and a bounded part only, whatever the file's size. */
export interface FileInspector {
  /**
   * @throws Fault `file.missing`, `file.empty`, `file.unreadable`, `file.not_regular`, or `file.corrupt` (an MTZ that is not one),
   * each with the path as its field.
   */
  inspect(path: string, origin: { readonly cycle: number; readonly program?: string }): Promise<SessionFile>;
}

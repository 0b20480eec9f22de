import { GemmiFileInspector } from '@fleet/file-inspection';
import type { FileInspector } from '@fleet/ports';

const shared = new GemmiFileInspector();

/** The one inspector of a test process: each of its readers is a process, which is kept whatever service ends. */
export const inspector: FileInspector = { inspect: (path, origin, root) => shared.inspect(path, origin, root) };

import { GemmiFileInspector } from '@fleet/file-inspection';
import type { FileInspector } from '@fleet/ports';

// Processor time limits a reader; wall clock time would measure the machine.
const shared = new GemmiFileInspector({ longestMs: 600_000 });

/** The one inspector of a test process: each of its readers is a process, which is kept whatever service ends. */
export const inspector: FileInspector = { inspect: (path, origin, root) => shared.inspect(path, origin, root) };

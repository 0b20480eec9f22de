import { GemmiFileInspector } from '@fleet/file-inspection';

/** The one inspector of a test process: each of its readers is a process, which is kept. */
export const inspector = new GemmiFileInspector();

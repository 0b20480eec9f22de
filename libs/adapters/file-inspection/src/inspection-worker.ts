import { isFault } from '@fleet/contracts';
import { serveTasks } from '@fleet/thread-pool';
import { ContentFileInspector } from './content-file-inspector';
import type { InspectionAnswer, InspectionTask } from './inspection-messages';

/** The thread that looks into files for `PooledFileInspector`. */

const inspector = new ContentFileInspector();

/** What is no Fault is a mistake of the reader, and goes on as an error. */
const faultOf = (error: unknown): InspectionAnswer => {
  if (!isFault(error)) throw error;
  const { code, kind, message, problems } = error;
  return { fault: { code, kind, message, problems } };
};

serveTasks(({ path, origin, root }: InspectionTask): Promise<InspectionAnswer> =>
  inspector.inspect(path, origin, root).then((file) => ({ file }), faultOf),
);

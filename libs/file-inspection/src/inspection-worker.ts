import { isFault, type SessionFile } from '@fleet/contracts';
import { parentPort } from 'node:worker_threads';
import { ContentFileInspector } from './content-file-inspector';
import type { InspectionAnswer, InspectionTask } from './inspection-messages';

/** The thread that looks into files for `PooledFileInspector`: one task at a time, one answer each. */

const inspector = new ContentFileInspector();

const failureOf = (error: unknown): InspectionAnswer => {
  if (!isFault(error)) return { broken: error instanceof Error ? error.message : String(error) };
  const { code, kind, message, problems } = error;
  return { fault: { code, kind, message, problems } };
};

const answerTo = ({ path, origin, root }: InspectionTask): Promise<InspectionAnswer> =>
  inspector.inspect(path, origin, root).then((file: SessionFile): InspectionAnswer => ({ file }), failureOf);

parentPort?.on('message', (task: InspectionTask) => {
  void answerTo(task).then((answer) => parentPort?.postMessage(answer));
});

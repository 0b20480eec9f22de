import { fetchFile } from '../../../api/calls';
import type { SceneFile } from '../scene/scene-files';
import { qualityTexts } from '../../../texts/quality';
import type { Measured, ModelAnswer, ModelRequest } from './model-messages';

/** Runs in a worker, which ends with the answer or with the signal. */
const measured = (request: ModelRequest, signal: AbortSignal): Promise<Measured> => {
  const worker = new Worker(new URL('./model-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Measured>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<ModelAnswer>) => {
      if ('measured' in data) resolve(data.measured);
      else reject(new Error(data.problem));
    });
    // No message if the worker cannot be loaded.
    worker.addEventListener('error', ({ message }) => reject(new Error(message || qualityTexts.measureFailed)));
    signal.addEventListener('abort', () => reject(new Error('no longer wanted')));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
};

/** Measures the coordinates of a model. @throws Error with a sentence if it cannot be fetched or parsed */
export const measureModel = async ({ href, file }: SceneFile, signal: AbortSignal): Promise<Measured> => {
  const text = await (await fetchFile(href, signal)).text();
  return measured({ text, format: file.facts.format }, signal);
};

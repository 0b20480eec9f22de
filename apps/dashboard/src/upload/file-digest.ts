import { uploadTexts } from '../texts/upload';
import type { DigestAnswer, DigestRequest } from './digest-messages';

/**
 * SHA-256 of a file, in hex, from a worker that ends with the answer or with the signal.
 * @param onDone called with the bytes read so far
 * @throws Error with a sentence if the file cannot be read
 */
export const fileDigest = (file: File, onDone: (bytes: number) => void, signal: AbortSignal): Promise<string> => {
  const worker = new Worker(new URL('./digest-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<string>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<DigestAnswer>) => {
      if ('done' in data) onDone(data.done);
      else if ('sha256' in data) resolve(data.sha256);
      else reject(new Error(uploadTexts.unreadable(data.problem)));
    });
    // No message if the worker cannot be loaded.
    worker.addEventListener('error', ({ message }) => reject(new Error(message || uploadTexts.noWorker)));
    signal.addEventListener('abort', () => reject(new Error('no longer wanted')));
    worker.postMessage({ file } satisfies DigestRequest);
  }).finally(() => worker.terminate());
};

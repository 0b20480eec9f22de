import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useMe } from '../parts/use-me';
import { removeUpload, uploadCalls } from './upload-calls';
import { pause } from '../live/live-connection';
import { fileDigest } from './file-digest';
import { FileSending } from './file-sending';
import { StoredUploads } from './stored-uploads';
import { UploadQueue, type QueuedFile } from './upload-queue';

/** By draft. They survive a visit to another page. */
const queues = new Map<string, UploadQueue>();

const queueOf = (queueName: string, queries: QueryClient): UploadQueue => {
  const known = queues.get(queueName);
  if (known !== undefined) return known;
  const uploads = new StoredUploads(sessionStorage);
  const queue = new UploadQueue({
    send: (file, proposal, report, signal) =>
      new FileSending(
        file,
        proposal,
        { calls: uploadCalls, uploads, digest: fileDigest, wait: pause, report },
        signal,
      ).run(),
    remove: async (mark) => {
      const id = uploads.find(mark);
      if (id !== undefined) await removeUpload(id);
      uploads.forget(mark);
    },
    onRefused: () => void queries.invalidateQueries({ queryKey: ['me'] }),
  });
  queues.set(queueName, queue);
  return queue;
};

/** Asks for confirmation before the page is left during an upload. */
const useStay = (isSending: boolean): void => {
  useEffect(() => {
    if (!isSending) return undefined;
    const ask = (event: Event): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
};

const isOpen = ({ state }: QueuedFile): boolean => !['paused', 'failed', 'complete'].includes(state.kind);

/**
 * The uploads of a submission.
 * @param place key of the submission's draft
 * @param onComplete called with the paths of completed uploads
 */
export const useUploads = (
  queueName: string,
  onComplete: (paths: readonly string[]) => void,
): { readonly queue: UploadQueue; readonly files: readonly QueuedFile[]; readonly arrived: readonly string[] } => {
  const queries = useQueryClient();
  const [queue] = useState(() => queueOf(queueName, queries));
  const [arrived, setArrived] = useState<readonly string[]>([]);
  const files = useSyncExternalStore(queue.subscribe, queue.list);
  const me = useMe();
  useStay(files.some(isOpen));
  useEffect(() => {
    if (me.isSuccess) queue.resumeAfterLogin();
  }, [queue, me.isSuccess, me.dataUpdatedAt]);
  useEffect(() => {
    const complete = files.flatMap(({ mark, file: { name }, state }) =>
      state.kind === 'complete' ? [{ mark, name, path: state.path }] : [],
    );
    if (complete.length === 0) return;
    queue.takeOut(complete.map(({ mark }) => mark));
    onComplete(complete.map(({ path }) => path));
    setArrived(complete.map(({ name }) => name));
    void queries.invalidateQueries({ queryKey: ['folder'] });
  }, [queue, queries, files, onComplete]);
  return { queue, files, arrived };
};

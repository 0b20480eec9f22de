import { ApiError } from '@fleet/api-client';
import type { SendingStep } from './file-sending';
import { UploadQueue } from './upload-queue';

const aFile = (name: string): File => new File(['12345'], name, { lastModified: 1 });

interface Sending {
  readonly name: string;
  readonly report: (step: SendingStep) => void;
  readonly signal: AbortSignal;
  readonly resolve: (path: string) => void;
  readonly reject: (error: Error) => void;
}

describe('the queue of uploads', () => {
  let sent: Sending[];
  let removed: string[];
  let refusals: number;
  let cannotRemove: Error | undefined;
  let queue: UploadQueue;
  beforeEach(() => {
    [sent, removed, refusals, cannotRemove] = [[], [], 0, undefined];
    queue = new UploadQueue({
      send: ({ name }, _, report, signal) =>
        new Promise((resolve, reject) => {
          sent.push({ name, report, signal, resolve, reject });
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
      remove: (mark) => {
        removed.push(mark);
        return cannotRemove === undefined ? Promise.resolve() : Promise.reject(cannotRemove);
      },
      onRefused: () => (refusals += 1),
    });
  });

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const states = (): readonly string[] => queue.list().map(({ file, state }) => `${file.name} ${state.kind}`);
  const markAt = (at: number): string => queue.list()[at]?.mark ?? '';

  it('sends the files in sequence, each once', async () => {
    queue.add([aFile('a.mtz'), aFile('b.pdb')], 'mx1');
    queue.add([aFile('a.mtz')], 'mx1');
    expect(states()).toEqual(['a.mtz waiting', 'b.pdb waiting']);
    sent[0]?.report({ kind: 'sending', done: 3 });
    expect(queue.list()[0]).toMatchObject({ done: 3, state: { kind: 'sending' } });
    sent[0]?.resolve('/data/a.mtz');
    await settled();
    expect(queue.list()[0]?.state).toEqual({ kind: 'complete', path: '/data/a.mtz' });
    expect(sent.map(({ name }) => name)).toEqual(['a.mtz', 'b.pdb']);
    queue.takeOut([markAt(0)]);
    expect(states()).toEqual(['b.pdb waiting']);
  });

  it('pauses one, sends the next meanwhile, and resumes it in its turn', async () => {
    queue.add([aFile('a.mtz'), aFile('b.pdb')], 'mx1');
    queue.pause(markAt(0));
    await settled();
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(sent.map(({ name }) => name)).toEqual(['a.mtz', 'b.pdb']);
    sent[0]?.report({ kind: 'sending', done: 5 });
    expect(states()).toEqual(['a.mtz paused', 'b.pdb waiting']);
    queue.resume(markAt(0));
    sent[1]?.resolve('/data/b.pdb');
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(['a.mtz', 'b.pdb', 'a.mtz']);
  });

  it('reports a failure, continues with the others, and retries it on request or when it is picked again', async () => {
    queue.add([aFile('a.mtz'), aFile('b.pdb')], 'mx1');
    sent[0]?.reject(new ApiError(409, 'There is an a.mtz already.'));
    await settled();
    expect(queue.list()[0]?.state).toEqual({ kind: 'failed', why: 'There is an a.mtz already.' });
    expect(sent).toHaveLength(2);
    queue.add([aFile('a.mtz')], 'mx1');
    expect(states()).toEqual(['a.mtz waiting', 'b.pdb waiting']);
  });

  it('pauses everything until the user has logged in, and continues then', async () => {
    queue.add([aFile('a.mtz'), aFile('b.pdb')], 'mx1');
    sent[0]?.reject(new ApiError(401, 'The key has expired.'));
    await settled();
    expect([states(), sent.length, refusals]).toEqual([['a.mtz login', 'b.pdb waiting'], 1, 1]);
    queue.resumeAfterLogin();
    expect(sent.map(({ name }) => name)).toEqual(['a.mtz', 'a.mtz']);
  });

  it('cancels a file here and at the gateway, once no request is in progress', async () => {
    queue.add([aFile('a.mtz'), aFile('b.pdb')], 'mx1');
    const mark = markAt(0);
    await queue.cancel(mark);
    expect([sent[0]?.signal.aborted, removed, states()]).toEqual([true, [mark], ['b.pdb waiting']]);
    cannotRemove = new ApiError(0, 'Failed to fetch');
    await queue.cancel(markAt(0));
    expect(queue.list()[0]?.state).toEqual({ kind: 'failed', why: 'Failed to fetch' });
  });

  it('notifies its listeners until they unsubscribe', () => {
    let updates = 0;
    const leave = queue.subscribe(() => (updates += 1));
    queue.add([aFile('a.mtz')], 'mx1');
    const before = updates;
    leave();
    queue.pause(markAt(0));
    expect([before > 0, updates]).toEqual([true, before]);
  });
});

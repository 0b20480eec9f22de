import { resolve } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { TargetName } from './samples';
import { isTold, makeTargets } from './targets';

/** What the thread is asked, and what it answers. */
export interface FuzzInput {
  readonly target: TargetName;
  readonly name: string;
  readonly bytes: Uint8Array;
}
export interface FuzzAnswer {
  /** Processor time of the reader in milliseconds: other work on the machine does not count. */
  readonly ms: number;
  /** Bytes beside the heap, which has a limit of its own. */
  readonly external: number;
  /** A crash: what was thrown that is not a word of the reader's own. */
  readonly crash?: string;
}

const crashOf = async (work: () => Promise<void>): Promise<string | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isTold(error)) return undefined;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
};

void makeTargets(resolve(__dirname, '../..')).then((targets) => {
  parentPort?.on('message', ({ target, name, bytes }: FuzzInput) => {
    const before = process.threadCpuUsage();
    void crashOf(() => targets[target](name, Buffer.from(bytes))).then((crash) => {
      const { user, system } = process.threadCpuUsage(before);
      const { external } = process.memoryUsage();
      const answer: FuzzAnswer = { ms: (user + system) / 1000, external, ...(crash === undefined ? {} : { crash }) };
      parentPort?.postMessage(answer);
    });
  });
  parentPort?.postMessage('ready');
});

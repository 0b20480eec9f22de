import { parentPort } from 'node:worker_threads';
import type { PoolReply } from './pool-messages';

const errorReply = (error: unknown): PoolReply<never> => {
  const failure = error instanceof Error ? error : new Error(String(error));
  return { kind: 'error', message: failure.message, stack: failure.stack ?? failure.message };
};

/**
 * The thread's side of a `TaskPool`: reports that the thread is ready, then answers tasks in sequence. Called once,
 * when everything that tasks need is loaded. An error of `answer` reaches the pool's caller as the cause of a
 * `TaskFailure`, with message and stack.
 * @param answer receives the pool's task; messages are untyped, so both sides must use the same type
 */
export const serveTasks = <Answer>(answer: (task: never) => Promise<Answer>): void => {
  const port = parentPort;
  if (port === null) throw new Error('serveTasks works in a thread of a pool only');
  const replyTo = async (task: never): Promise<PoolReply<Answer>> => {
    try {
      return { kind: 'answer', answer: await answer(task) };
    } catch (error) {
      return errorReply(error);
    }
  };
  port.on('message', (task: unknown) => {
    void replyTo(task as never).then((reply) => port.postMessage(reply));
  });
  port.postMessage({ kind: 'ready' });
};

import { parentPort } from 'node:worker_threads';
import type { PoolReply } from './pool-messages';

const errorReply = (error: unknown): PoolReply<never> => {
  const failure = error instanceof Error ? error : new Error(String(error));
  return { kind: 'error', message: failure.message, stack: failure.stack ?? failure.message };
};

/**
 * The thread's side of a `TaskPool`: tells that the thread is ready, then answers one task after the other. Called once, when everything
 * that tasks need is loaded. An error of `answer` reaches the caller of the pool as the cause of a `TaskFailure`, by message and stack.
 * @param answer takes what the pool is given; a message has no type of its own, so both sides name the same one
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
    void replyTo(task as never).then((reply) => {
      port.postMessage(reply);
    });
  });
  port.postMessage({ kind: 'ready' });
};

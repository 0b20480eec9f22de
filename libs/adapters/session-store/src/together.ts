import type { ChainableCommander } from 'ioredis';

/**
 * Runs the commands of a MULTI, or of a pipeline, and gives their answers in order.
 * @throws the first error among them
 */
export const together = async <T extends readonly unknown[]>(commands: ChainableCommander): Promise<T> => {
  const replies = (await commands.exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  }) as unknown as T;
};

import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { loadRuleBook } from '@fleet/knowledge';
import { decisionApiOf } from './decision-api-of';
import type { DecisionDesk, DecisionReply, DecisionTask } from './decision-task';

/** One thread of the pool: reads the knowledge for itself, then answers one request after the other. */
const errorReply = (error: unknown): DecisionReply => {
  const told = error instanceof Error ? error : new Error(String(error));
  return { kind: 'error', message: told.message, stack: told.stack ?? told.message };
};

const answer = async (task: DecisionTask, api: DecisionDesk): Promise<DecisionReply> => {
  try {
    const found = task.kind === 'encoded' ? await api.answerEncoded(task.encoded) : await api.answer(task.document);
    return { kind: 'answer', answer: found };
  } catch (error) {
    return errorReply(error);
  }
};

const start = async (port: MessagePort, knowledge: string): Promise<void> => {
  const api = decisionApiOf(await loadRuleBook(knowledge));
  port.on('message', (task: DecisionTask) => {
    void answer(task, api).then((reply) => {
      port.postMessage(reply);
    });
  });
  port.postMessage({ kind: 'ready' } satisfies DecisionReply);
};

if (parentPort === null) throw new Error('decision-thread runs as a thread of the gateway only');
void start(parentPort, (workerData as { readonly knowledge: string }).knowledge);

import { workerData } from 'node:worker_threads';
import { loadRuleBook } from '@fleet/knowledge';
import { serveTasks } from '@fleet/thread-pool';
import { decisionApiOf } from './decision-api-of';
import type { DecisionAnswer, DecisionTask } from './decision-task';

/** One thread of the decisions: reads the knowledge for itself, then answers one request after the other. */
const start = async (knowledge: string): Promise<void> => {
  const api = decisionApiOf(await loadRuleBook(knowledge));
  serveTasks((task: DecisionTask): Promise<DecisionAnswer> =>
    task.kind === 'encoded' ? api.answerEncoded(task.encoded) : api.answer(task.document),
  );
};

void start((workerData as { readonly knowledge: string }).knowledge);

import { workerData } from 'node:worker_threads';
import { loadRuleBook } from '@fleet/knowledge';
import { serveTasks } from '@fleet/thread-pool';
import { decisionApiOf } from './decision-api-of';
import type { DecisionAnswer, DecisionTask } from './decision-task';
import { firstDecisionsOf } from './first-step';

/** One thread of the decisions: reads the knowledge for itself, then answers one request after the other. */
const start = async (knowledge: string): Promise<void> => {
  const ruleBook = await loadRuleBook(knowledge);
  const api = decisionApiOf(ruleBook);
  const first = firstDecisionsOf(ruleBook);
  serveTasks((task: DecisionTask): Promise<DecisionAnswer> => {
    if (task.kind === 'first') return first.firstStep(task.session, task.catalogue);
    return task.kind === 'encoded' ? api.answerEncoded(task.encoded) : api.answer(task.document);
  });
};

void start((workerData as { readonly knowledge: string }).knowledge);

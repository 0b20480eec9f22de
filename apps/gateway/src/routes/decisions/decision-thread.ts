import { workerData } from 'node:worker_threads';
import { replayer } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import { serveTasks } from '@fleet/task-pool';
import { answeringOf } from './decision-api-of';
import type { DecisionAnswer, DecisionTask } from './decision-task';
import { firstDecisionsOf } from './first-step';

/** A thread for decisions: reads the knowledge once, then answers requests in sequence. */
const start = (knowledge: string): void => {
  const ruleBook = loadRuleBook(knowledge);
  const answer = answeringOf(ruleBook);
  const first = firstDecisionsOf(ruleBook);
  const replay = replayer(ruleBook);
  serveTasks((task: DecisionTask): Promise<DecisionAnswer> => {
    if (task.kind === 'first') return first.firstStep(task.session, task.catalogue);
    return task.kind === 'replay' ? replay(task.session, task.catalogue) : answer(task);
  });
};

start((workerData as { readonly knowledge: string }).knowledge);

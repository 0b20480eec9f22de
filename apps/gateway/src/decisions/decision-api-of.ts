import { buildDecisionApi, type DecisionApi } from '@fleet/decision-api';
import { buildDecisionGraph } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { systemClock } from '@fleet/ports';

/** The API over a rule book. */
export const decisionApiOf = (ruleBook: RuleBook): DecisionApi =>
  buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock });

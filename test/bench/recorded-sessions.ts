import { buildDecisionApi } from '@fleet/decision-api';
import type { DecisionGraph, DecisionInput } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { systemClock } from '@fleet/ports';
import { knownFacts, readScenarios } from '../scenarios/scenario-files';

/** What the graph is asked for the recorded requests; those that a stop condition answers do not reach it. */
export const recordedInputs = async (graph: DecisionGraph, ruleBook: RuleBook): Promise<readonly DecisionInput[]> => {
  const inputs: DecisionInput[] = [];
  const decider = {
    decide: (input: DecisionInput) => {
      inputs.push(input);
      return graph.decide(input);
    },
  };
  const api = buildDecisionApi({ ruleBook, decider, clock: systemClock });
  for (const scenario of readScenarios()) await api.answer(scenario.request, knownFacts(scenario));
  return inputs;
};

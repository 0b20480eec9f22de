import type { FirstStep } from '@fleet/contracts/batches';
import { buildDecisionGraph } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { isoTime, systemClock } from '@fleet/ports';
import { commandText } from '@fleet/session-report';
import type { FirstDecisions } from './decision-task';

/** Decides like the decision worker, and starts nothing. */
export const firstDecisionsOf = (ruleBook: RuleBook): FirstDecisions => {
  const graph = buildDecisionGraph({ ruleBook });
  return {
    firstStep: async (session, catalogue): Promise<FirstStep> => {
      const outcome = await graph.decide({ session, catalogue, now: isoTime(systemClock) });
      if ('stop' in outcome) return { stop: outcome.stop.detail };
      const { program, argv, reasoning } = outcome.decision;
      const wanted = ruleBook.programs[program]?.resources.class;
      return { program, command: commandText(argv), reasoning, ...(wanted !== undefined && { class: wanted }) };
    },
  };
};

import { describeSession, openMenu } from '@fleet/workflow';
import type { DecisionInput, GraphDeps, Assessment } from './decision-types';
import type { Draft } from './state';

/**
 * Describes the session in the terms of the rules, and opens its menu.
 * @throws Fault `session.experiment_contradiction` when settings and files contradict each other
 */
export const lookAt = (input: DecisionInput, { ruleBook }: GraphDeps, exhausted: Draft['exhausted']): Assessment => {
  const { session, catalogue, missing } = input;
  const described = describeSession({
    session,
    ruleBook,
    catalogue,
    exhausted,
    ...(missing === undefined ? {} : { missing }),
  });
  return { described, menu: openMenu(described, ruleBook) };
};

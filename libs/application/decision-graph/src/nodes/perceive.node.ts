import { isFault } from '@fleet/contracts/faults';
import type { SessionStop } from '@fleet/contracts/sessions';
import { abortingIssue, skippedRequests, sanityIssues, stopOf, unavailableRequests } from '@fleet/workflow';
import type { DecisionInput, GraphDeps, Assessment } from '../decision-types';
import { eventOf } from '../event-of';
import { lookAt } from '../look';
import type { DecisionNode, DecisionUpdate } from '../state';

const redFlag = ({ session }: DecisionInput, detail: string): SessionStop => ({
  reason: 'red_flag',
  detail,
  afterCycle: session.cycles.at(-1)?.cycle ?? 0,
});

/** Unavailable requests; the decision reports what happens instead. */
const invalidRequests = (input: DecisionInput, { described, menu }: Assessment, { ruleBook }: GraphDeps) =>
  unavailableRequests(described, ruleBook, input.session).map(({ asked, field, why }) =>
    eventOf(input, 'user_request_invalid', `${asked} was requested (${field}) but is unavailable: ${why}.`, {
      asked,
      field,
      why,
      available: menu.validPrograms,
    }),
  );

const look = (input: DecisionInput, assessment: Assessment, deps: GraphDeps): DecisionUpdate => {
  const { described, menu } = assessment;
  const issues = sanityIssues(described);
  const flag = abortingIssue(issues, input.session.request.settings);
  const stop = input.stop ?? (flag === undefined ? undefined : redFlag(input, `${flag.message} ${flag.suggestion}`));
  const isFirst = input.session.cycles.length === 0;
  const pastStop = isFirst ? undefined : stopOf(described, menu, { ...input, ruleBook: deps.ruleBook });
  return {
    draft: {
      assessment,
      ...(stop === undefined ? {} : { stop }),
      ...(pastStop === undefined ? {} : { pastStop }),
    },
    events: [
      eventOf(input, 'cycle_start', `Cycle ${input.session.cycle}`),
      eventOf(input, 'state_detected', `${menu.state}, step ${menu.step}: ${menu.why}`, {
        experiment: described.experiment,
        state: menu.state,
        step: menu.step,
        rule: menu.rule,
      }),
      ...described.lostProducts.map(({ program, flag, message }) =>
        eventOf(input, 'warning', message, { program, flag, zombie: true }),
      ),
      ...[...skippedRequests(described, menu, deps.ruleBook, input.session), ...menu.applied].map((applied) =>
        eventOf(input, 'directive_applied', applied),
      ),
      ...invalidRequests(input, assessment, deps),
      ...issues.map(({ id, level, message, suggestion }) =>
        eventOf(input, 'sanity_check', `${message} ${suggestion}`, { id, level }),
      ),
    ],
  };
};

/** Converts the session to facts, finds the step and its menu, and checks for sanity issues. */
export const makePerceive =
  (deps: GraphDeps): DecisionNode =>
  ({ input, draft: { exhausted } }) => {
    try {
      return look(input, lookAt(input, deps, exhausted), deps);
    } catch (error) {
      if (!isFault(error) || error.kind !== 'caller') throw error;
      return {
        draft: { stop: redFlag(input, error.message) },
        events: [eventOf(input, 'error', error.message, { code: error.code })],
      };
    }
  };

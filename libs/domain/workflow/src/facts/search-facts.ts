import { adviceInForce, directivesInForce } from '@fleet/contracts/sessions';
import { isFinding, searchPlan, type SearchPlan } from '@fleet/files';
import type { FactSheet } from '@fleet/knowledge-model';
import { recoveryOf } from '../recovery';
import type { AnalysedCycle, WorkflowInput } from '../workflow-input';
import { unavailabilityOf } from './unavailability';
import { commandOf, installedOf } from './installed-program';

/** Whether the search can run, and whether a placed model could be rebuilt. */
const meansOf = (cycles: readonly AnalysedCycle[], input: WorkflowInput) => {
  const { ruleBook, session } = input;
  const { placementEvidence: rules, programs, errors } = ruleBook;
  const search = programs[rules.programs.search];
  const rebuild = programs[rules.programs.rebuild];
  const own = cycles.filter(({ decision }) => decision.program === rules.programs.search);
  const troubles = own.filter((cycle) => !isFinding(cycle, rules, errors));
  const recovery = recoveryOf(troubles, errors, adviceInForce(session));
  const canSearch =
    search !== undefined && unavailabilityOf(search, { own: troubles, lastChange: 0, recovery }, input) === undefined;
  const hasSequence = session.request.inputs.some(({ facts }) => facts.format === 'sequence');
  const left = directivesInForce(session).workflow_preferences?.skip_programs ?? [];
  const canRebuild =
    rebuild !== undefined &&
    hasSequence &&
    !left.includes(rebuild.name) &&
    installedOf(commandOf(rebuild), input) !== undefined;
  return { canSearch, canRebuild };
};

/** Results of the molecular replacement searches so far, and the plan of the next one. */
export const planSearch = (cycles: readonly AnalysedCycle[], input: WorkflowInput): SearchPlan =>
  searchPlan(input.session, input.ruleBook, meansOf(cycles, input));

/** `search_again` and its family. */
export const addSearchFacts = (sheet: FactSheet, plan: SearchPlan): void => {
  const { trials, standing, next, way, last, components, otherHand, unplaced, inPart, report, unprocessed } = plan;
  sheet.search_tried = trials.length;
  sheet.predictions_left = unprocessed.length;
  sheet.search_components = components;
  sheet.search_groups = next === undefined || next.groups === 'data' ? undefined : next.groups;
  sheet.search_again = trials.length > 0 && standing === undefined && next !== undefined;
  sheet.search_exhausted = trials.length > 0 && standing === undefined && next === undefined;
  sheet.search_way = way;
  sheet.search_last = last;
  sheet.search_report = report;
  sheet.components_unplaced = unplaced.length === 0 ? undefined : unplaced.join(', ');
  sheet.placed_in_part = inPart;
  sheet.other_hand = otherHand;
};

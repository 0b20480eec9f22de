import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionSettings } from '@fleet/contracts/service';
import { resolutionForAll } from '@fleet/contracts/sessions';
import type { FactSheet } from '@fleet/knowledge-model';
import type { AnalysedCycle } from '../workflow-input';
import type { ProgramStates } from './program-facts';

/** Targets, limits and the resolution of the directives override the settings of the same name. */
export const effectiveSettings = (settings: SessionSettings, directives: SessionDirectives): SessionSettings => {
  const { max_refine_cycles, r_free_target, map_cc_target } = directives.stop_conditions ?? {};
  return {
    ...settings,
    resolution: resolutionForAll(directives) ?? settings.resolution,
    max_refine_cycles: max_refine_cycles ?? settings.max_refine_cycles,
    r_free_target: r_free_target ?? settings.r_free_target,
    map_cc_target: map_cc_target ?? settings.map_cc_target,
  };
};

/**
 * Limits count from the advice that sets them. `directive.after_cycle` and `setting.max_refine_cycles` are converted to numbers of the whole
 * session; a cycle that lies ahead is already such a number.
 * @param askedAfter the cycle after which the advice came, 0 for the submission
 */
export const addLimitFacts = (
  sheet: FactSheet,
  { stop_conditions: { after_cycle, max_refine_cycles } = {} }: SessionDirectives,
  analysed: readonly AnalysedCycle[],
  askedAfter: number,
): void => {
  const before = Number(sheet.cycles) - analysed.filter(({ cycle }) => cycle > askedAfter).length;
  if (after_cycle !== undefined)
    sheet['directive.after_cycle'] = after_cycle > before ? after_cycle : before + after_cycle;
  if (max_refine_cycles !== undefined)
    sheet['setting.max_refine_cycles'] = Number(sheet['refinement.earlier']) + max_refine_cycles;
};

/** `directive.after_program` and its family. */
export const addDirectiveFacts = (
  sheet: FactSheet,
  { stop_conditions = {}, workflow_preferences = {} }: SessionDirectives,
  programs: ProgramStates,
  askedAfter: number,
): void => {
  const { after_program } = stop_conditions;
  const { use_experimental_phasing, use_molecular_replacement, use_mr_sad, model_is_placed } = workflow_preferences;
  sheet['directive.after_program'] = after_program;
  sheet['directive.after_program_done'] =
    after_program !== undefined && (programs.get(after_program)?.last ?? 0) > askedAfter;
  sheet['directive.skip_validation'] = stop_conditions.skip_validation === true;
  sheet['directive.r_free_target'] = stop_conditions.r_free_target;
  sheet['directive.map_cc_target'] = stop_conditions.map_cc_target;
  sheet['directive.use_experimental_phasing'] = use_experimental_phasing === true;
  sheet['directive.use_molecular_replacement'] = use_molecular_replacement === true;
  sheet['directive.use_mr_sad'] = use_mr_sad === true;
  sheet['directive.model_is_placed'] = model_is_placed === true;
};

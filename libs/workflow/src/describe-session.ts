import { bestFiles, categorise, lockedFreeFlagData, sessionFiles } from '@fleet/files';
import { holds } from '@fleet/knowledge-model';
import { experimentOf } from './experiment-type';
import { addLigandFacts } from './facts/ligand-facts';
import { addCellMismatch, addSearchCopies } from './facts/placement-facts';
import { addMetricFacts, addProgramFacts, programStates, type ProgramStates } from './facts/program-facts';
import { addFileFacts, addHistoryFacts, addResolution, addSettingFacts, addTarget } from './facts/session-facts';
import { addTrendFacts } from './facts/trend-facts';
import {
  scientificCycles,
  type FactSheet,
  type FilesView,
  type SessionPicture,
  type WorkflowInput,
} from './workflow-input';

const viewFiles = ({ session, ruleBook }: WorkflowInput): FilesView => {
  const all = sessionFiles(session);
  const byCategory = categorise(all, ruleBook.fileCategories);
  const best = bestFiles({ categorised: byCategory, cycles: session.cycles, scoring: ruleBook.bestFiles });
  const lockedFreeFlags = lockedFreeFlagData(session);
  return { all, byCategory, best, ...(lockedFreeFlags === undefined ? {} : { lockedFreeFlags }) };
};

export interface DescribedSession extends SessionPicture {
  readonly programs: ProgramStates;
}

/**
 * Puts a session into the words of the rules: its experiment, files and facts. Only successful cycles count as runs; cycles that
 * the machine spoiled count for nothing.
 * @throws Fault `session.experiment_contradiction` when settings and files contradict each other.
 */
export const describeSession = (input: WorkflowInput): DescribedSession => {
  const { session, ruleBook } = input;
  const files = viewFiles(input);
  const experiment = experimentOf(session, files.byCategory);
  const workflow = ruleBook.workflows[experiment];
  const cycles = scientificCycles(session);
  const programs = programStates(cycles, input);
  const sheet: FactSheet = { experiment };
  addSettingFacts(sheet, session.request.settings);
  addFileFacts(sheet, files, ruleBook);
  addHistoryFacts(sheet, cycles, session.cycles.filter(({ result }) => result !== undefined).length);
  addProgramFacts(sheet, programs, input);
  addMetricFacts(sheet, cycles);
  addTrendFacts(sheet, cycles, workflow.trend);
  addLigandFacts(sheet, cycles, files);
  addCellMismatch(sheet, files);
  addSearchCopies(sheet, files);
  addResolution(sheet, session.request.settings, files);
  addTarget(sheet, workflow, ruleBook);
  sheet.extra_maps = experiment === 'xray' && Number(sheet['files.map'] ?? 0) > 0;
  for (const { fact, when } of workflow.definitions) sheet[fact] = holds(when, sheet);
  return { experiment, workflow, files, facts: sheet, programs };
};

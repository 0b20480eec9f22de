import { bandAt } from '@fleet/contracts/results';
import type { SessionSettings } from '@fleet/contracts/service';
import type { SessionFile, SessionSteering } from '@fleet/contracts/sessions';
import { baseName } from '@fleet/files';
import { metricFact, type FactSheet, type Facts, type RuleBook, type WorkflowKnowledge } from '@fleet/knowledge-model';
import type { AnalysedCycle, FilesView } from '../workflow-input';
import { succeeded } from '../workflow-input';

/** `setting.max_cycles` and its family; lists are not facts. */
export const addSettingFacts = (sheet: FactSheet, settings: SessionSettings): void => {
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value !== 'object') sheet[`setting.${name}`] = value;
  }
};

const hasAnomalousPairs = ({ facts: { mtz } }: SessionFile): boolean =>
  mtz?.observations.some(({ anomalous }) => anomalous) === true;

const addDataFacts = (sheet: FactSheet, reflections: readonly SessionFile[], maps: number): void => {
  const isXray = sheet.experiment === 'xray';
  const [own, others] = isXray ? [reflections.length, maps] : [maps, reflections.length];
  sheet.extra_maps = isXray && own > 0 && others > 0;
  sheet.experiment_changed = own === 0 && others > 0;
  sheet.anomalous_arrays = reflections.some(hasAnomalousPairs);
};

/** The session's client may have chosen the pair. */
const areHalvesUnclear = ({ byCategory, stated }: FilesView): boolean =>
  (byCategory.get('half_map')?.length ?? 0) > 2 && stated?.get('half_map') === undefined;

/** `files.data_mtz` and its family: the number of files. */
export const addFileFacts = (sheet: FactSheet, files: FilesView, ruleBook: RuleBook): void => {
  for (const { name } of ruleBook.fileCategories) sheet[`files.${name}`] = files.byCategory.get(name)?.length ?? 0;
  sheet.free_flags_locked = files.lockedFreeFlags !== undefined;
  sheet.free_flags_lost = files.lostFreeFlags && baseName(files.lostFreeFlags.path);
  sheet.half_maps_unclear = areHalvesUnclear(files);
  addDataFacts(sheet, files.byCategory.get('data_mtz') ?? [], files.byCategory.get('map')?.length ?? 0);
};

/** `advice_changed`: new advice that no later cycle has followed yet (phenix-agent.md#extending-a-completed-workflow). */
export const addAdviceFact = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  { adviceChangedAfter }: SessionSteering,
): void => {
  const isFollowed = cycles.some((cycle) => cycle.cycle > (adviceChangedAfter ?? 0) && succeeded(cycle));
  sheet.advice_changed = adviceChangedAfter !== undefined && !isFollowed;
};

export const addHistoryFacts = (sheet: FactSheet, cycles: readonly AnalysedCycle[], count: number): void => {
  const last = cycles.at(-1);
  sheet.cycles = count;
  sheet.last_program = last?.decision.program;
  sheet.last_failed = last !== undefined && !succeeded(last);
};

const numberOf = (value: Facts[string]): number | undefined => (typeof value === 'number' ? value : undefined);

/** Å: the setting, otherwise the result of the analysis, otherwise the value in the data file. */
export const addResolution = (
  sheet: FactSheet,
  settings: SessionSettings,
  files: FilesView,
  { programs }: RuleBook,
): void => {
  const fromFile = files.byCategory.get('data_mtz')?.at(-1)?.facts.mtz?.highResolution;
  const measuring = Object.values(programs).filter(({ measures_data }) => measures_data !== undefined);
  const found = measuring.map(({ name }) => numberOf(sheet[metricFact(name, 'resolution')]));
  // Zero means "unknown": the setting's default, and the value of an uninspected file.
  sheet.resolution = [settings.resolution, ...found, fromFile].find((value) => value !== undefined && value > 0);
};

/** The less demanding of two values: a value that meets a lower requested target must not be rated as poor. */
const furthest = (metric: string, { metrics }: RuleBook): ((...values: readonly number[]) => number) =>
  metrics[metric]?.better === 'lower' ? Math.max : Math.min;

/** The target and the poor value: the setting, otherwise the acceptable and the poor value of the metric's band at this resolution. */
export const addTarget = (sheet: FactSheet, workflow: WorkflowKnowledge, ruleBook: RuleBook): void => {
  const { metric, setting, default_resolution } = workflow.target;
  const requestedTarget = numberOf(sheet[`setting.${setting}`]) ?? 0;
  const resolution = numberOf(sheet.resolution) ?? default_resolution;
  const band = bandAt(ruleBook.metrics[metric]?.bands ?? [], resolution);
  sheet.target = requestedTarget > 0 ? requestedTarget : band?.acceptable;
  if (band !== undefined)
    sheet.poor_limit = requestedTarget > 0 ? furthest(metric, ruleBook)(band.poor, requestedTarget) : band.poor;
};

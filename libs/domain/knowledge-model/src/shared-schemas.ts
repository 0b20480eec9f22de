import { byName, choice, matching, text, type Schema } from '@fleet/contracts/schema';
import { experimentTypes, fileFormats, stopReasons, type ExperimentType } from '@fleet/contracts/sessions';

/** Schemas that several kinds of knowledge share: a slot, key, category, metric or step. */
export const name = matching('^[a-z][a-z0-9_]*$');
export const factName = matching('^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*$');
/** An id in messages and in the record of decisions. */
export const ruleId = matching('^[a-z][a-z0-9_-]*$');
export const phenixProgram = matching('^phenix\\.[a-z0-9_]+$');
/** A parameter of PHIL. */
export const parameter = matching('^[A-Za-z_][A-Za-z0-9_.]*$');
/**
 * Where PHENIX's developers define that the program takes this parameter: a file of cctbx_project (its PHIL, or the public agent's
 * programs.yaml), a page of PHENIX's documentation, or other software that wraps the program's PHIL.
 */
export const source = matching('^[A-Za-z][A-Za-z0-9 _./()-]{5,100}$');
/**
 * A real log: below PHENIX_FLEET_TEST_LOGS; with `public:` in cctbx_project below libtbx/langchain/log_extraction/corpus; with `fixtures/` below
 * libs/domain/log-parsing/src.
 */
export const log = matching('^(?:public:)?[A-Za-z0-9_/-]+\\.log$');
export const someText = text(undefined, { minLength: 1 });
export const sentence = text(undefined, { minLength: 3 });
export const experiment = choice(experimentTypes);
export const fileFormat = choice(fileFormats);
export const stopReason = choice(stopReasons);
export const unit = choice(['Å', '%', 'Å²', '°']);

export const byExperiment = <V>(value: Schema<V>): Schema<Readonly<Record<ExperimentType, V>>> =>
  byName(experimentTypes, value);

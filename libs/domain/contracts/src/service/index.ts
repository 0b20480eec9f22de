export { canonicalJson } from './canonical-json';
export {
  choiceSettingSchema,
  flagSettingSchema,
  listSettingSchema,
  numberSettingSchema,
  defaultSettings,
  settingDefinitions,
  settingsSchema,
  settingsRequestSchema,
  type SessionSettings,
  type SettingDefinition,
} from './settings';
export { idempotencyKeyPattern } from './idempotency';
export {
  installedProgramSchema,
  programCatalogueSchema,
  programProviders,
  type BackendName,
  type InstalledProgram,
  type ProgramCatalogue,
  type ProgramProvider,
} from './programs';
export { releaseVersion } from './release';
export { metricsViewSchema, type MetricsView } from './metric-definitions';
export { programViewSchema, type ProgramView, programsViewSchema, type ProgramsView } from './programs';
export { settingsViewSchema, type SettingsView } from './settings';

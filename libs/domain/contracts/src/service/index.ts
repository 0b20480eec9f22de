export { canonicalJson } from './canonical-json';
export {
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
  programProviders,
  type BackendName,
  type InstalledProgram,
  type ProgramCatalogue,
  type ProgramProvider,
} from './programs';
export { releaseVersion } from './release';
export { type MetricsView } from './metric-definitions';
export { type ProgramView, type ProgramsView } from './programs';
export { type SettingsView } from './settings';

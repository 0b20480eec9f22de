export { auditForwardOf, AuditConfig, type SyslogCollector } from './audit-section';
export { browserLoginOf, type BrowserLoginSettings } from './browser-login';
export { BrowserLoginConfig } from './browser-login-section';
export { CONFIG_EXIT_CODE, ConfigError, isConfigError, type ConfigProblem } from './config.error';
export { ConfigModule } from './config.module';
export { databaseAddresses, databaseConnection, type DatabaseConnection } from './database-connection';
export { checkOwners, dataFoldersOf, dataRootsOf } from './data-roots';
export { describeConfig } from './describe-config';
export { AccessConfig, trustedProxiesOf } from './access-sections';
export { defaultDashboardFolder } from './knowledge-folder';
export { loadConfig } from './load-config';
export { mailOf, type MailSettings } from './mail';
export { MailConfig } from './mail-section';
export { membersHookOf } from './members-hook';
export { ModelsConfig } from './models-section';
export { NotificationsConfig, notificationsOf } from './notification-sections';
export { groupOfProposal, proposalGroupsOf, type ProposalGroup } from './proposal-groups';
export type { Environment } from './read-variable';
export { redisAddresses, redisConnection } from './redis-connection';
export { inspectionPython } from './inspection-python';
export { HealthConfig, LogConfig, SharesConfig, StepConfig } from './process-sections';
export { oidcOf, type OidcSettings } from './oidc';
export { OidcConfig } from './oidc-section';
export { isLoopback, isPrivateAddress } from './provider-address';
export { programEnvironment } from './program-environment';
export { ExecutorConfig, type PredictionService } from './executor-section';
export { RetentionConfig, retentionOf } from './retention-section';
export { sharesOf } from './shares';
export {
  BackendConfig,
  DatabaseConfig,
  GatewayConfig,
  InspectionConfig,
  KnowledgeConfig,
  KubernetesConfig,
  RedisConfig,
  StorageConfig,
  workerSections,
} from './sections';
export { SweeperConfig } from './upkeep-sections';
export { readSecretFile } from './secret-file';
export { TracingConfig } from './tracing-section';
export { uploadsOf } from './uploads';
export { UploadsConfig } from './uploads-section';

import { AuditConfig, auditForwardOf, StorageConfig } from '@fleet/config';
import { AUDIT_LOG, CLOCK, isoTime, METRICS, type AuditLog, type Clock, type Metrics } from '@fleet/ports';
import { AuditFolder, readInstallationKeys } from '@fleet/session-folder';
import { Logger, type Provider } from '@nestjs/common';
import { ForwardedAuditLog, type AuditForwarder } from './forwarded-audit-log';
import { StdoutForwarder } from './stdout-forwarder';
import { SyslogForwarder } from './syslog-forwarder';

const metric = 'phenix_fleet_audit_not_forwarded_total';

const forwarderOf = (config: AuditConfig, metrics: Metrics): AuditForwarder | undefined => {
  const forward = auditForwardOf(config);
  if (forward === 'none') return undefined;
  metrics.count(metric, {}, 0);
  const onLost = (count: number): void => metrics.count(metric, {}, count);
  return forward === 'stdout' ? new StdoutForwarder(onLost) : new SyslogForwarder(forward, onLost);
};

/** The audit log in the work folder, forwarded if so configured. */
export const auditLogProvider: Provider = {
  provide: AUDIT_LOG,
  inject: [AuditConfig, StorageConfig, CLOCK, METRICS],
  useFactory: (
    config: AuditConfig,
    { workRoot, installationKeyFile }: StorageConfig,
    clock: Clock,
    metrics: Metrics,
  ): AuditLog => {
    const logger = new Logger('Audit');
    const onWarning = (message: string): void => logger.warn(message);
    const keys = readInstallationKeys(installationKeyFile, workRoot);
    const { maxMiB, keepDays } = config;
    const folder = new AuditFolder(workRoot, { keys, maxMiB, keepDays, onWarning }, () => isoTime(clock));
    const forwarder = forwarderOf(config, metrics);
    return forwarder === undefined ? folder : new ForwardedAuditLog(folder, forwarder);
  },
};

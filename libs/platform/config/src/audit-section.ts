import { IntegerVariable, TextVariable } from './variable.decorator';

/** A syslog collector. */
export interface SyslogCollector {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

const form = /^syslog(\+tls)?:\/\/([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]):([1-9]\d{0,4})$/;

/** Undefined if the text is not a valid collector. */
const collectorOf = (text: string): SyslogCollector | undefined => {
  const [, tls, host, port] = form.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replaceAll(/^\[|\]$/g, ''), port: Number(port), tls: tls !== undefined };
};

/** The audit log (docs/audit.md). Read only by the gateway. */
export class AuditConfig {
  @IntegerVariable('FLEET_AUDIT_MAX_MIB', {
    what: 'maximum size of an audit log file in MiB; the gateway then starts a new file, and also once a day. A reader holds one file in memory',
    default: '16',
    min: 1,
    max: 64,
  })
  readonly maxMiB: number;

  @IntegerVariable('FLEET_AUDIT_KEEP_DAYS', {
    what: 'days that audit log files are kept. 0: for ever',
    default: '400',
    min: 0,
    max: 36_500,
  })
  readonly keepDays: number;

  @TextVariable('FLEET_AUDIT_FORWARD', {
    what: 'additional destination of audit log entries: `stdout` (JSON lines in the gateway log) or a syslog collector (RFC 5424 over TCP, or over TLS with certificate check)',
    default: 'none',
    pattern: /^\S{1,300}$/,
    holds: (text) => ['none', 'stdout'].includes(text) || collectorOf(text) !== undefined,
    allowed: 'none, stdout, syslog://host:port or syslog+tls://host:port',
  })
  readonly forward: string;
}

/** Where entries are forwarded to. */
export const auditForwardOf = ({ forward }: Pick<AuditConfig, 'forward'>): 'none' | 'stdout' | SyslogCollector =>
  collectorOf(forward) ?? (forward === 'stdout' ? 'stdout' : 'none');

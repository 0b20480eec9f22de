import type { Provider } from '@nestjs/common';
import { AUDIT_LOG, CLOCK, SESSION_FOLDER, SESSION_RETENTION, UPLOAD_FILES } from '@fleet/ports';
import { Retention, type RetentionPorts } from '@fleet/retention';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { commandsOf, portsOf } from '../commands-of';

const ports = portsOf<RetentionPorts>({
  records: SESSION_RETENTION,
  folders: SESSION_FOLDER,
  audit: AUDIT_LOG,
  clock: CLOCK,
  uploads: UPLOAD_FILES,
  rules: { from: GATEWAY_OPTIONS, pick: ({ retention }: GatewayOptions) => retention },
});

/** The commands for retention, and for deletion on request. */
export const retentionCommands: readonly Provider[] = commandsOf(ports, [Retention]);

import type { Provider } from '@nestjs/common';
import { AUDIT_LOG, CLOCK, SESSION_FOLDER, SESSION_RETENTION, UPLOAD_FILES } from '@fleet/ports';
import { Retention, type RetentionPorts } from '@fleet/retention';
import { providedObject } from '@fleet/wiring';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { commandsOf } from '../commands-of';

const RETENTION_RULES = Symbol('RetentionRules');

const ports = providedObject<RetentionPorts>({
  records: SESSION_RETENTION,
  folders: SESSION_FOLDER,
  audit: AUDIT_LOG,
  clock: CLOCK,
  uploads: UPLOAD_FILES,
  rules: RETENTION_RULES,
});

/** The commands for retention, and for deletion on request. */
export const retentionCommands: readonly Provider[] = [
  { provide: RETENTION_RULES, inject: [GATEWAY_OPTIONS], useFactory: ({ retention }: GatewayOptions) => retention },
  ...commandsOf(ports, [Retention]),
];

import { Body, Controller, type Provider, Req } from '@nestjs/common';
import type { RecoveryReport } from '@fleet/contracts/administration';
import { routes } from '@fleet/contracts/routes';
import { CLOCK, SESSION_FOLDER, SESSION_RECORDS, SESSION_RETENTION, WEBHOOKS } from '@fleet/ports';
import { RecoverOnRequest, type RecoveryPorts } from '@fleet/recovery';
import { providedObject } from '@fleet/wiring';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { noteForAudit } from '../../http/audit-note';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import type { HttpRequest } from '../../http/http-types';
import { commandsOf } from '../commands-of';

const lengthOf = (value: unknown): unknown => (Array.isArray(value) ? value.length : value);

/** Whether this gateway serves administrators, who may trust records without a signature. */
const MAY_TRUST = Symbol('MayTrust');

const ports = providedObject<RecoveryPorts>({
  records: SESSION_RECORDS,
  folders: SESSION_FOLDER,
  retention: SESSION_RETENTION,
  clock: CLOCK,
  webhooks: WEBHOOKS,
  mayTrust: MAY_TRUST,
});

export const recoveryCommands: readonly Provider[] = [
  { provide: MAY_TRUST, inject: [GATEWAY_OPTIONS], useFactory: ({ adminApi }: GatewayOptions) => adminApi },
  ...commandsOf(ports, [RecoverOnRequest]),
];

@Controller()
export class RecoveriesController {
  constructor(private readonly recovery: RecoverOnRequest) {}

  @Handles(routes.recoveries.recover)
  async recover(@Body() body: unknown, @Req() request: HttpRequest): Promise<RecoveryReport> {
    const { report, isTrusting } = await this.recovery.run(body, principalOf(request));
    const counts = Object.entries(report).map(([what, all]): [string, unknown] => [what, lengthOf(all)]);
    noteForAudit(request, { object: 'sessions', after: { ...Object.fromEntries(counts), trust: isTrusting } });
    return report;
  }
}

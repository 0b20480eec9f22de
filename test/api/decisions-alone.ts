import { Module, type DynamicModule } from '@nestjs/common';
import { AUDIT_LOG, CLOCK, systemClock } from '@fleet/ports';
import { AuditTrail } from '../../apps/gateway/src/auth/audit/audit-trail';
import { DecisionsModule } from '../../apps/gateway/src/routes/decisions/decisions.module';
import { PlainAuditLog } from './audit-log.fake';

@Module({})
class DecisionsAlone {}

/** The decision API without sessions, and what every gateway has. */
export const decisionsAlone = (desk: Parameters<typeof DecisionsModule.forRoot>[0]): DynamicModule => ({
  module: DecisionsAlone,
  imports: [DecisionsModule.forRoot(desk)],
  providers: [
    AuditTrail,
    { provide: AUDIT_LOG, useValue: new PlainAuditLog() },
    { provide: CLOCK, useValue: systemClock },
  ],
});

import type { Provider } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AuditTrail } from '../audit/audit-trail';
import { AuditInterceptor } from '../audit/audit.interceptor';
import { AccessGuard } from './access.guard';
import { Authentication } from './authentication';
import { RequestLimiter } from './request-limiter';
import { VisibleSessions } from './visible-sessions';
import { VouchedPeople } from './vouched-people';

/** Every address passes it. */
export const door: readonly Provider[] = [
  VouchedPeople,
  Authentication,
  VisibleSessions,
  AuditTrail,
  RequestLimiter,
  AccessGuard,
  { provide: APP_GUARD, useExisting: AccessGuard },
  { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
];

import type { Provider } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AuditTrail } from './auth/audit/audit-trail';
import { AuditInterceptor } from './auth/audit/audit.interceptor';
import { AccessGuard } from './auth/access/access.guard';
import { Authentication } from './auth/access/authentication';
import { RequestLimiter } from './auth/access/request-limiter';
import { VisibleSessions } from './auth/access/visible-sessions';
import { VouchedPeople } from './auth/access/vouched-people';

/** Guards that every request passes. */
export const accessControl: readonly Provider[] = [
  VouchedPeople,
  Authentication,
  VisibleSessions,
  AuditTrail,
  RequestLimiter,
  AccessGuard,
  { provide: APP_GUARD, useExisting: AccessGuard },
  { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
];

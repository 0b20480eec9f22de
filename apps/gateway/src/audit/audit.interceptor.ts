import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { HttpRequest } from '../http/http-types';
import { isPolicyAction, noteOf } from './audit-note';
import { AuditTrail, isChange } from './audit-trail';

/** Every change is in the audit log before it is made: who passed the door with an action that changes something. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(private readonly trail: AuditTrail) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const { action } = noteOf(request);
    const isAsked = action !== undefined && isPolicyAction(action);
    if (isAsked && isChange(request.method, action)) await this.trail.begin(request);
    return next.handle();
  }
}

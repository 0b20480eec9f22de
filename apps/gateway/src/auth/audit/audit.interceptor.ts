import { ruleOf, type Action } from '@fleet/contracts/route';
import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { SESSION_INDEX, type SessionIndex } from '@fleet/ports';
import type { Observable } from 'rxjs';
import { idOfName } from '@fleet/sessions';
import { statusOf } from '../../http/errors/problem-details';
import type { HttpRequest } from '../../http/http-types';
import { isPolicyAction, noteForAudit, noteOf } from '../../http/audit-note';
import { AuditTrail } from './audit-trail';
import { isChange, isReading } from './audited-reads';

type Request = HttpRequest & { readonly params?: { readonly id?: string } };

/**
 * Writes every change into the audit log before it is made, for admitted requests with a changing action. Reads are
 * written at their end.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly trail: AuditTrail,
    @Inject(SESSION_INDEX) private readonly index: SessionIndex,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const { action } = noteOf(request);
    if (action === undefined || !isPolicyAction(action)) return next.handle();
    await this.noteSession(request, action);
    if (isChange(request.method, action)) await this.trail.begin(request);
    else if (isReading(request.method)) this.trail.beginRead(request);
    return next.handle();
  }

  /** The log contains the id of a session, whichever name the administrator used. */
  private async noteSession(request: Request, action: Action): Promise<void> {
    const name = request.params?.id;
    if (name === undefined || ruleOf(action).on !== 'session') return;
    try {
      noteForAudit(request, { object: `session ${await idOfName(this.index, name)}` });
    } catch (error) {
      // Missing or ambiguous: the handler reports it.
      if ((statusOf(error) ?? 500) >= 500) throw error;
    }
  }
}

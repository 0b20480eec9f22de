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

/** Every change is in the audit log before it is made: who passed the door with an action that changes something. Reads are at their end. */
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

  /** The log has the id of a session, by whichever name an administrator asked for it. */
  private async noteSession(request: Request, action: Action): Promise<void> {
    const name = request.params?.id;
    if (name === undefined || ruleOf(action).on !== 'session') return;
    try {
      noteForAudit(request, { object: `session ${await idOfName(this.index, name)}` });
    } catch (error) {
      // No such session, or several: the handler says so.
      if ((statusOf(error) ?? 500) >= 500) throw error;
    }
  }
}

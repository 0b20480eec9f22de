import { Injectable, Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { denialOf, reachOf, ruleOf, type Action } from '@fleet/access';
import { failureText, type Principal } from '@fleet/contracts';
import { errorCatalogue } from '../errors/error-catalogue';
import { isApiError } from '../errors/problem-details';
import { ManifestBody } from '../batches/manifest-body';
import { noteForAudit } from '../audit/audit-note';
import type { HttpRequest } from '../http/http-types';
import { Authentication } from './authentication';
import { denied } from './denied';
import { setPrincipal } from './principal-of';
import { REQUIRED_ACTION } from './requires.decorator';
import { VisibleSessions } from './visible-sessions';

type Asked = Pick<HttpRequest, 'headers'> & { readonly params?: unknown };

/** An address that does not say what it asks for. */
const undeclared: Action = 'admin.change';

/** The door: every request passes it, before anything of its body is judged. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly logger = new Logger('Access');

  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
    private readonly visible: VisibleSessions,
  ) {}

  /** @throws ApiError `access.no_credentials`, `access.bad_credentials`, `access.provider_unavailable`, `access.denied`, or `session.not_found` for another's session */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const required = this.reflector.get<Action | 'open' | undefined>(REQUIRED_ACTION, context.getHandler());
    if (required === 'open') return true;
    const request = context.switchToHttp().getRequest<Asked & Pick<HttpRequest, 'body'>>();
    noteForAudit(request, { action: required ?? undeclared });
    try {
      await this.admit(request, required ?? undeclared);
      return true;
    } catch (error) {
      // Not where it could not be found out who asks.
      noteForAudit(request, { denied: isApiError(error) && errorCatalogue[error.code].status < 500 });
      // Nobody will read it, and the client has to hear why.
      if (request.body instanceof ManifestBody) request.body.passOver();
      throw error;
    }
  }

  /** Who asks, if they may do this; the name of a session in the address becomes the id of the one that they see. */
  async admit(request: Asked, action: Action): Promise<Principal> {
    const { headers, params } = request;
    const principal = await this.authentication.principalOf(headers.authorization);
    // Also of those who are then denied: the audit log says who they were.
    setPrincipal(request, principal);
    const named = nameIn(params);
    // Before it is said what they may not do: another's session does not exist.
    if (named !== undefined && reachOf(principal) !== 'all') await this.find(principal, action, named);
    const denial = denialOf(principal, action);
    if (denial !== undefined) throw denied(principal, action, denial);
    return principal;
  }

  /** @throws ApiError `session.not_found`, `batch.not_found` or `webhook.not_found` */
  private async find(principal: Principal, action: Action, named: { id: string }): Promise<void> {
    const { on } = ruleOf(action);
    if (on === 'session') named.id = (await this.visible.rowOf(principal, named.id)).id;
    if (on === 'batch') await this.visible.batchOf(principal, named.id);
    if (on === 'webhook') await this.visible.webhookOf(principal, named.id);
  }

  /** Whether a request that was admitted would be again. While that cannot be found out, it is left alone. */
  async stillAdmits(request: Asked, action: Action): Promise<boolean> {
    try {
      await this.admit(request, action);
      return true;
    } catch (error) {
      if (isApiError(error) && error.code !== 'access.provider_unavailable') return false;
      this.logger.warn(`whether a stream may go on cannot be found out: ${failureText(error)}`);
      return true;
    }
  }
}

/** The part of an address that names a session, a batch or a webhook. */
const nameIn = (params: unknown): { id: string } | undefined =>
  typeof params === 'object' && params !== null && 'id' in params ? (params as { id: string }) : undefined;

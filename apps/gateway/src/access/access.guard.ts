import { Injectable, Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { denialOf, reachOf, ruleOf, type Action } from '@fleet/access';
import { failureText, type Principal } from '@fleet/contracts';
import { errorCatalogue } from '../errors/error-catalogue';
import { isApiError } from '../errors/problem-details';
import { noteForAudit } from '../audit/audit-note';
import { ArrivingBody } from '../http/arriving-body';
import { clientAddress } from '../http/client-address';
import type { HttpRequest } from '../http/http-types';
import { Authentication } from './authentication';
import { denied } from './denied';
import { setPrincipal } from './principal-of';
import { RequestLimiter } from './request-limiter';
import { REQUIRED_ACTION, type Requirement } from './requires.decorator';
import { VisibleSessions } from './visible-sessions';
import type { Asking } from './vouched-people';

type Asked = Asking & { readonly params?: unknown };
type Request = Asked & Pick<HttpRequest, 'body' | 'ip' | 'socket'>;

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
    private readonly limiter: RequestLimiter,
  ) {}

  /** @throws ApiError what `Authentication.principalOf` throws, `access.denied`, `request.too_many`, or `session.not_found` for another's session */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const required = this.reflector.get<Requirement | undefined>(REQUIRED_ACTION, context.getHandler());
    if (required === 'open') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const action = required ?? undeclared;
    noteForAudit(request, { action });
    try {
      const principal = await this.known(request);
      await this.limiter.admit(principal.id, action);
      await this.judge(principal, request, action);
      return true;
    } catch (error) {
      noteForAudit(request, { denied: isDenial(error) });
      // Nobody will read it, and the client has to hear why.
      if (request.body instanceof ArrivingBody) request.body.passOver();
      throw error;
    }
  }

  /** Who asks. An address is told only so often that nobody is known by what it shows. */
  private async known(request: Request): Promise<Principal> {
    try {
      return await this.identify(request);
    } catch (error) {
      if (statusOf(error) === 401) await this.limiter.admitStranger(clientAddress(request));
      throw error;
    }
  }

  /** Who asks, if they may do this. They are not counted. */
  async admit(request: Asked, action: Action): Promise<Principal> {
    const principal = await this.identify(request);
    await this.judge(principal, request, action);
    return principal;
  }

  private async identify(request: Asked): Promise<Principal> {
    const principal = await this.authentication.principalOf(request);
    // Also of those who are then denied: the audit log says who they were.
    setPrincipal(request, principal);
    return principal;
  }

  /** Whether they may do this; the name of a session in the address becomes the id of the one that they see. */
  private async judge(principal: Principal, { params }: Asked, action: Action): Promise<void> {
    const named = nameIn(params);
    // Before it is said what they may not do: another's session does not exist.
    if (named !== undefined && reachOf(principal) !== 'all') await this.find(principal, action, named);
    const denial = denialOf(principal, action);
    if (denial !== undefined) throw denied(principal, action, denial);
  }

  /** @throws ApiError `session.not_found`, `batch.not_found`, `webhook.not_found` or `upload.not_found` */
  private async find(principal: Principal, action: Action, named: { id: string }): Promise<void> {
    const { on } = ruleOf(action);
    if (on === 'session') named.id = (await this.visible.rowOf(principal, named.id)).id;
    if (on === 'batch') await this.visible.batchOf(principal, named.id);
    if (on === 'webhook') await this.visible.webhookOf(principal, named.id);
    if (on === 'upload') await this.visible.uploadOf(principal, named.id);
  }

  /** Whether a request that was admitted would be again. While that cannot be found out, it is left alone. */
  async stillAdmits(request: Asked, action: Action): Promise<boolean> {
    try {
      await this.admit(request, action);
      return true;
    } catch (error) {
      if (isDenial(error)) return false;
      this.logger.warn(`whether a stream may continue cannot be found out: ${failureText(error)}`);
      return true;
    }
  }
}

const statusOf = (error: unknown): number | undefined =>
  isApiError(error) ? errorCatalogue[error.code].status : undefined;

/** Not where it could not be found out who asks; and who asks too often is told so, and not written down each time. */
const isDenial = (error: unknown): boolean => {
  const status = statusOf(error) ?? 500;
  return status < 500 && status !== 429;
};

/** The part of an address that names a session, a batch, a webhook or an upload. */
const nameIn = (params: unknown): { id: string } | undefined =>
  typeof params === 'object' && params !== null && 'id' in params ? (params as { id: string }) : undefined;

import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import { denialOf, denied, reachOf } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { failureText } from '@fleet/contracts/faults';
import { type Action, ruleOf } from '@fleet/contracts/route';
import { statusOf } from '../../http/errors/problem-details';
import { noteForAudit } from '../../http/audit-note';
import { ArrivingBody } from '../../http/arriving-body';
import { clientIp } from '../../http/client-ip';
import { routeOf } from '../../http/handles.decorator';
import type { HttpRequest } from '../../http/http-types';
import { Authentication } from './authentication';
import { setPrincipal } from './principal-of';
import { RequestLimiter } from './request-limiter';
import { VisibleSessions } from './visible-sessions';
import type { Asking } from './vouched-people';

type NamedRequest = Asking & { readonly params?: unknown };
type Request = NamedRequest & Pick<HttpRequest, 'body' | 'ip' | 'socket'>;

/** The permission of a method without a declared route. */
const undeclared: Action = 'admin.change';

/** Access control: every request passes it, before its body is validated. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly logger = new Logger('Access');

  constructor(
    private readonly authentication: Authentication,
    private readonly visible: VisibleSessions,
    private readonly limiter: RequestLimiter,
  ) {}

  /**
   * @throws ApiError those of `Authentication.principalOf`, `access.denied`, `request.too_many`, or `session.not_found`
   *   for another user's session
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const permission = routeOf(context.getHandler())?.permission;
    if (permission === 'open') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const action = permission ?? undeclared;
    noteForAudit(request, { action });
    try {
      const principal = await this.known(request);
      await this.limiter.admit(principal.id, action);
      await this.judge(principal, request, action);
      return true;
    } catch (error) {
      noteForAudit(request, { denied: isDenial(error) });
      // The body will not be read, and the client must receive the reason.
      if (request.body instanceof ArrivingBody) request.body.passOver();
      throw error;
    }
  }

  /** The caller. Rejected credentials (401) are rate-limited by client IP. */
  private async known(request: Request): Promise<Principal> {
    try {
      return await this.identify(request);
    } catch (error) {
      if (statusOf(error) === 401) await this.limiter.admitStranger(clientIp(request));
      throw error;
    }
  }

  /** The caller, if permitted; without rate limits. */
  async admit(request: NamedRequest, action: Action): Promise<Principal> {
    const principal = await this.identify(request);
    await this.judge(principal, request, action);
    return principal;
  }

  private async identify(request: NamedRequest): Promise<Principal> {
    const principal = await this.authentication.principalOf(request);
    // Set before the permission check, because the audit log names denied callers too.
    setPrincipal(request, principal);
    return principal;
  }

  /**
   * Whether the caller is permitted; a session name in the URL is replaced by the id of the session that the caller can
   * see.
   */
  private async judge(principal: Principal, { params }: NamedRequest, action: Action): Promise<void> {
    const named = nameIn(params);
    // Before the permission is denied: another user's session must look missing.
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

  /** Whether an admitted request would be admitted again. While that cannot be checked, it continues. */
  async stillAdmits(request: NamedRequest, action: Action): Promise<boolean> {
    try {
      await this.admit(request, action);
      return true;
    } catch (error) {
      if (isDenial(error)) return false;
      this.logger.warn(`the access of a stream cannot be checked: ${failureText(error)}`);
      return true;
    }
  }
}

/**
 * Excludes callers that could not be identified, and rate-limited ones: they get 429, without an audit entry each time.
 */
const isDenial = (error: unknown): boolean => {
  const status = statusOf(error) ?? 500;
  return status < 500 && status !== 429;
};

/** The URL parameter that names a session, a batch, a webhook or an upload. */
const nameIn = (params: unknown): { id: string } | undefined =>
  typeof params === 'object' && params !== null && 'id' in params ? (params as { id: string }) : undefined;

import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { LogoutView } from '@fleet/contracts/access';
import { routes } from '@fleet/contracts/routes';
import { setPrincipal } from '../../auth/access/principal-of';
import { RequestLimiter } from '../../auth/access/request-limiter';
import { Handles } from '../../http/handles.decorator';
import { noteForAudit } from '../../http/audit-note';
import { AuditTrail } from '../../auth/audit/audit-trail';
import { isApiError, toProblem } from '../../http/errors/problem-details';
import { clientIp } from '../../http/client-ip';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { readQuery, type Query as QueryValues } from '../../http/read-query';
import { attemptMs, BROWSER_LOGINS, type BrowserLogins } from '../../auth/login/browser-logins';
import { checkOwnPage } from '../../auth/login/change-mark';
import type { CookieKind } from '../../auth/login/cookies';
import { problemPage, wantsPage } from '../../auth/login/problem-page';

/** Browser login and logout: the authorization code flow of OpenID Connect, with PKCE, and a cookie. */
@Controller()
export class LoginController {
  constructor(
    @Inject(BROWSER_LOGINS) private readonly logins: BrowserLogins,
    private readonly trail: AuditTrail,
    private readonly limiter: RequestLimiter,
  ) {}

  @Handles(routes.login.login)
  async login(@Query() query: QueryValues, @Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const { return_to: asked } = readQuery(routes.login.login, query);
    await this.forPerson(request, reply, async () => {
      await this.limiter.admitStranger(clientIp(request));
      const { loginUrl, secret } = await this.logins.begin(asked, this.held(request, 'attempt'));
      this.keep(reply, 'attempt', secret, attemptMs);
      redirect(reply, loginUrl);
    });
  }

  /** The provider redirects the browser here, with parameters that the library validates. */
  @Handles(routes.login.callback)
  async callback(@Query() query: QueryValues, @Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    await this.forPerson(request, reply, async () => {
      await this.limiter.admitStranger(clientIp(request));
      const arrival = await this.logins.arrive(this.held(request, 'attempt'), parametersOf(query));
      setPrincipal(request, arrival.principal);
      noteForAudit(request, { action: 'login' });
      await this.trail.begin(request);
      this.keep(reply, 'login', await this.logins.enter(arrival));
      redirect(reply, arrival.returnTo);
    });
  }

  @Handles(routes.login.logout)
  async logout(@Req() request: HttpRequest, @Res({ passthrough: true }) reply: HttpReply): Promise<LogoutView> {
    const { offered } = this.logins;
    const secret = this.held(request, 'login');
    if (offered === undefined || secret === undefined) return {};
    checkOwnPage(request, offered.origin);
    const principal = await this.logins.holderOf(secret);
    if (principal !== undefined) {
      setPrincipal(request, principal);
      noteForAudit(request, { action: 'logout' });
      await this.trail.begin(request);
    }
    const provider = await this.logins.end(secret);
    reply.header('set-cookie', offered.cookies.clear('login')).header('cache-control', 'no-store');
    return provider === undefined ? {} : { provider };
  }

  /** Errors here are shown to a user: as a page, if the browser accepts one. */
  private async forPerson(request: HttpRequest, reply: HttpReply, act: () => Promise<void>): Promise<void> {
    const { offered } = this.logins;
    try {
      await act();
    } catch (error) {
      if (offered === undefined || !isApiError(error) || !wantsPage(request.headers.accept)) throw error;
      const problem = toProblem(error, { instance: '', requestId: request.id });
      noteForAudit(request, { code: problem.code });
      const page = problemPage(problem, offered.loginUrl);
      reply.code(problem.status).header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-store');
      reply.send(page);
    }
  }

  private held({ headers }: HttpRequest, kind: CookieKind): string | undefined {
    return this.logins.offered?.cookies.secret(headers.cookie, kind);
  }

  private keep(reply: HttpReply, kind: CookieKind, secret: string, forMs?: number): void {
    if (this.logins.offered !== undefined)
      reply.header('set-cookie', this.logins.offered.cookies.set(kind, secret, forMs));
  }
}

/** Unchanged, including repeated names, which the library rejects. */
const parametersOf = (query: QueryValues): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)]),
    ),
  );

const redirect = (reply: HttpReply, to: string): void => {
  reply.header('cache-control', 'no-store').header('location', to).code(302).send();
};

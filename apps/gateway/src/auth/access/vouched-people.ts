import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '@fleet/contracts/access';
import type { HttpRequest } from '../../http/http-types';
import { TOKEN_READER, type TokenReader } from '../identity/token-reader';
import { BROWSER_LOGINS, type BrowserLogins } from '../login/browser-logins';
import { checkOwnPage } from '../login/change-mark';

/** The parts of a request that identify its caller. */
export type Asking = Pick<HttpRequest, 'method' | 'headers'>;

/** Users and programs authenticated by the identity provider. */
@Injectable()
export class VouchedPeople {
  constructor(
    @Inject(TOKEN_READER) private readonly tokens: TokenReader,
    @Inject(BROWSER_LOGINS) private readonly logins: BrowserLogins,
  ) {}

  /** Whether there is a provider. */
  get areKnown(): boolean {
    return this.tokens.provider !== undefined;
  }

  /** @throws ApiError `access.bad_credentials` or `access.provider_unavailable` */
  ofToken(token: string): Promise<Principal> {
    return this.tokens.principalOf(token);
  }

  /**
   * The user who is logged in with this browser; undefined: there is no login.
   * @throws ApiError `access.login_ended`, `access.provider_unavailable`, or `request.unmarked` and
   *   `request.foreign_page` for a change
   */
  async ofBrowser(request: Asking): Promise<Principal | undefined> {
    const { offered } = this.logins;
    const secret = offered?.cookies.secret(request.headers.cookie, 'login');
    if (offered === undefined || secret === undefined) return undefined;
    checkOwnPage(request, offered.origin);
    return this.logins.principalOf(secret);
  }
}

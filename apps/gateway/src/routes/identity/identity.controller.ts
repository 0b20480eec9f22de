import { Controller, Inject } from '@nestjs/common';
import type { IdentityView } from '@fleet/contracts/access';
import { routes } from '@fleet/contracts/routes';
import { Handles } from '../../http/handles.decorator';
import { BROWSER_LOGINS, type BrowserLogins } from '../../auth/login/browser-logins';
import { TOKEN_READER, type TokenReader } from '../../auth/identity/token-reader';

@Controller()
export class IdentityController {
  constructor(
    @Inject(TOKEN_READER) private readonly tokens: TokenReader,
    @Inject(BROWSER_LOGINS) private readonly logins: BrowserLogins,
  ) {}

  /** The login methods; open to callers without credentials. */
  @Handles(routes.identity.identity)
  identity(): IdentityView {
    const { provider } = this.tokens;
    if (provider === undefined) return {};
    const { issuer, deviceClient: clientId, scopes } = provider;
    const { offered } = this.logins;
    return {
      provider: {
        issuer,
        ...(clientId !== undefined && { device: { clientId, scopes } }),
        ...(offered !== undefined && { browser: { loginUrl: offered.loginUrl, name: offered.providerName } }),
      },
    };
  }
}

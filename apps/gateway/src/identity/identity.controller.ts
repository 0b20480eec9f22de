import { Controller, Get, Inject } from '@nestjs/common';
import type { IdentityView } from '@fleet/contracts';
import { Open } from '../access/requires.decorator';
import { IdentityDocs } from '../openapi/access-docs';
import { BROWSER_LOGINS, type BrowserLogins } from '../login/browser-logins';
import { TOKEN_READER, type TokenReader } from './token-reader';

@Controller('v1/identity')
export class IdentityController {
  constructor(
    @Inject(TOKEN_READER) private readonly tokens: TokenReader,
    @Inject(BROWSER_LOGINS) private readonly logins: BrowserLogins,
  ) {}

  /** How people log in: whoever wants to does not yet have what other addresses ask for. */
  @Get()
  @Open()
  @IdentityDocs()
  identity(): IdentityView {
    const { provider } = this.tokens;
    if (provider === undefined) return {};
    const { issuer, deviceClient: clientId, scopes } = provider;
    const { offered } = this.logins;
    return {
      provider: {
        issuer,
        ...(clientId !== undefined && { device: { clientId, scopes } }),
        ...(offered !== undefined && { browser: { address: offered.address, name: offered.providerName } }),
      },
    };
  }
}

import type { Provider } from '@nestjs/common';
import { BrowserLoginConfig, browserLoginOf, NotificationsConfig, OidcConfig, oidcOf } from '@fleet/config';
import { CLOCK, LOGIN_STORE, type Clock, type LoginStore } from '@fleet/ports';
import { IdentityProvider } from '../identity/identity-provider';
import { noTokens, ProviderTokens, TOKEN_READER, type TokenReader } from '../identity/token-reader';
import { BROWSER_LOGINS, noBrowserLogins, type BrowserLogins } from './browser-logins';
import { KeptBrowserLogins } from './kept-browser-logins';
import { LoginClient } from './login-client';

/** Sources of identities other than keys: tokens and browser logins depend on one provider. */
interface Identities {
  readonly tokens: TokenReader;
  readonly logins: BrowserLogins;
}
const IDENTITIES = Symbol('Identities');

const identitiesOf = (
  oidc: OidcConfig,
  login: BrowserLoginConfig,
  notifications: NotificationsConfig,
  store: LoginStore,
  clock: Clock,
): Identities => {
  const provider = oidcOf(oidc);
  const browser = browserLoginOf(login, oidc, notifications);
  if (provider === undefined) return { tokens: noTokens, logins: noBrowserLogins };
  const source = new IdentityProvider(provider.issuer, clock);
  const tokens = new ProviderTokens(provider, source, clock);
  if (browser === undefined) return { tokens, logins: noBrowserLogins };
  const settings = { ...browser, claims: provider.claims, algorithms: provider.algorithms };
  return { tokens, logins: new KeptBrowserLogins(settings, new LoginClient(settings, source), store, clock) };
};

/** Providers for authentication, from configuration and store. */
export const identityProviders: readonly Provider[] = [
  {
    provide: IDENTITIES,
    inject: [OidcConfig, BrowserLoginConfig, NotificationsConfig, LOGIN_STORE, CLOCK],
    useFactory: identitiesOf,
  },
  { provide: TOKEN_READER, inject: [IDENTITIES], useFactory: ({ tokens }: Identities) => tokens },
  { provide: BROWSER_LOGINS, inject: [IDENTITIES], useFactory: ({ logins }: Identities) => logins },
];

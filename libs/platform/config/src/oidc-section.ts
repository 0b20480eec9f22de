import { isProviderAddress } from './provider-address';
import { ChoicesVariable, TextVariable } from './variable.decorator';

/**
 * Algorithms with a private key, which only the provider has. Shared secrets are excluded: every verifier could sign.
 */
const tokenAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/** The identity provider (OpenID Connect) for users and programs, in addition to API keys. */
export class OidcConfig {
  @TextVariable('FLEET_OIDC_ISSUER', {
    what: 'the identity provider (OpenID Connect): its issuer, exactly as its tokens name it. From then on the gateway is shut to everybody without a token or a key',
    optional: true,
    pattern: /^\S{1,500}$/,
    holds: isProviderAddress,
    allowed: 'an https URL without query and fragment; http for a provider on this machine alone',
  })
  readonly issuer?: string;

  @TextVariable('FLEET_OIDC_AUDIENCE', {
    what: 'what tokens call this gateway (`aud`); needed with FLEET_OIDC_ISSUER. A token for something else opens nothing',
    optional: true,
    pattern: /^[\x21-\x7e]{1,500}$/,
    allowed: 'one word of ASCII characters',
  })
  readonly audience?: string;

  @ChoicesVariable('FLEET_OIDC_ALGORITHMS', {
    what: 'algorithms of signatures that are taken, with commas between them',
    default: 'RS256,PS256,ES256,EdDSA',
    choices: tokenAlgorithms,
  })
  readonly algorithms: string;

  @TextVariable('FLEET_OIDC_CLAIMS', {
    what: 'how claims say who somebody is (docs/access.md), as JSON',
    default: '{}',
    pattern: /^\s*\{[\s\S]*\}\s*$/,
    allowed: 'a JSON object; docs/access.md has its members',
  })
  readonly claims: string;

  @TextVariable('FLEET_OIDC_DEVICE_CLIENT', {
    what: 'what `phx login` calls itself at the provider: the id of a public client (without a secret) that may use the device flow. Without it phx logs in with keys alone',
    optional: true,
    pattern: /^[\x21-\x7e]{1,200}$/,
    allowed: 'one word of ASCII characters',
  })
  readonly deviceClient?: string;

  @TextVariable('FLEET_OIDC_SCOPES', {
    what: 'what logins ask the provider for, with blanks between them; without `offline_access` most providers end the login of `phx` with its first token',
    default: 'openid profile offline_access',
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    allowed: 'words with single blanks between them, openid among them',
    holds: (text) => text.split(' ').includes('openid'),
  })
  readonly scopes: string;
}

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
    what: 'issuer of the identity provider (OpenID Connect), exactly as in its tokens. If set, every request needs a token or a key',
    optional: true,
    pattern: /^\S{1,500}$/,
    holds: isProviderAddress,
    allowed: 'an https URL without query and fragment; http only for a provider on this machine',
  })
  readonly issuer?: string;

  @TextVariable('FLEET_OIDC_AUDIENCE', {
    what: 'required audience (`aud`) of tokens; required with FLEET_OIDC_ISSUER',
    optional: true,
    pattern: /^[\x21-\x7e]{1,500}$/,
    allowed: 'one word of ASCII characters',
  })
  readonly audience?: string;

  @ChoicesVariable('FLEET_OIDC_ALGORITHMS', {
    what: 'accepted signature algorithms, separated by commas',
    default: 'RS256,PS256,ES256,EdDSA',
    choices: tokenAlgorithms,
  })
  readonly algorithms: string;

  @TextVariable('FLEET_OIDC_CLAIMS', {
    what: 'mapping of claims to name, role and proposals (docs/access.md), as JSON',
    default: '{}',
    pattern: /^\s*\{[\s\S]*\}\s*$/,
    allowed: 'a JSON object (see docs/access.md)',
  })
  readonly claims: string;

  @TextVariable('FLEET_OIDC_DEVICE_CLIENT', {
    what: 'client id of `phx login`: a public client (without secret) with the device flow. Not set: phx logs in with API keys only',
    optional: true,
    pattern: /^[\x21-\x7e]{1,200}$/,
    allowed: 'one word of ASCII characters',
  })
  readonly deviceClient?: string;

  @TextVariable('FLEET_OIDC_SCOPES', {
    what: 'scopes of `phx login`, separated by blanks; without `offline_access` most providers end the login with the first token',
    default: 'openid profile offline_access',
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    allowed: 'words separated by single blanks, including openid',
    holds: (text) => text.split(' ').includes('openid'),
  })
  readonly scopes: string;
}

import { Logger } from '@nestjs/common';
import { decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import type { Claims } from '@fleet/access';
import { isLoopback, type BrowserLoginSettings, type OidcSettings } from '@fleet/config';
import { ApiError } from '../../http/errors/problem-details';
import type { IdentityProvider, ProviderDescription } from '../identity/identity-provider';
import { clockToleranceS } from '../identity/token-reader';
import { isRefusal, loginFailure, reasonOf } from './login-failure';

/** Timeout of the provider, in seconds. */
const timeoutS = 5;

/** Data to complete a login in progress. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Identifies a login at the provider. */
export interface LoginTokens {
  readonly subject: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
}

/** The provider's response for a login. */
export interface Granted {
  /** From its ID token; undefined: it sent none, which is optional for a renewal. */
  readonly claims: Claims | undefined;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

type Settings = BrowserLoginSettings & Pick<OidcSettings, 'algorithms'>;

/** The gateway as a client of the provider, for browser logins (authorization code with PKCE). */
export class LoginClient {
  private readonly logger = new Logger('Identity');
  private made: { readonly of: ProviderDescription; readonly configuration: client.Configuration } | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly source: IdentityProvider,
  ) {}

  /** The URL for the browser, and the data to verify its return. */
  async begin(): Promise<{ readonly loginUrl: string; readonly attempt: Attempt }> {
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const loginUrl = client.buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: this.redirectUri,
      scope: this.settings.scopes,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { loginUrl: loginUrl.href, attempt };
  }

  /**
   * @param query of the browser's return URL
   * @throws ApiError `login.refused`, or `access.provider_unavailable`
   */
  async finish(query: URLSearchParams, { state, nonce, verifier }: Attempt): Promise<Granted> {
    const configuration = await this.configuration();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const result = new URL(`${this.redirectUri}?${query.toString()}`);
    try {
      return this.granted(await client.authorizationCodeGrant(configuration, result, checks));
    } catch (error) {
      throw this.explained(error);
    }
  }

  /**
   * The current claims; undefined if the provider has ended the login.
   * @throws ApiError `access.provider_unavailable`
   */
  async renew({ refreshToken = '', subject }: LoginTokens): Promise<Granted | undefined> {
    const configuration = await this.configuration();
    try {
      const granted = this.granted(await client.refreshTokenGrant(configuration, refreshToken));
      if (granted.claims !== undefined && granted.claims['sub'] !== subject) return undefined;
      return { ...granted, refreshToken: granted.refreshToken ?? refreshToken };
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw this.explained(error);
    }
  }

  /**
   * Revokes the login at the provider.
   * @returns URL where the browser ends its session at the provider; undefined if there is none, or the provider is
   *   unreachable
   */
  async end({ idToken, refreshToken }: LoginTokens): Promise<string | undefined> {
    try {
      const configuration = await this.configuration();
      const { revocation_endpoint: revocation, end_session_endpoint: end } = configuration.serverMetadata();
      if (refreshToken !== undefined && revocation !== undefined)
        await client.tokenRevocation(configuration, refreshToken);
      if (end === undefined) return undefined;
      const back = { post_logout_redirect_uri: `${this.settings.publicUrl}/ui/` };
      const hint = idToken === undefined ? {} : { id_token_hint: idToken };
      return client.buildEndSessionUrl(configuration, { ...back, ...hint }).href;
    } catch (error) {
      // The login has ended here; the provider's part expires.
      this.logger.warn({ message: 'a login could not be ended at the provider', reason: reasonOf(error) });
      return undefined;
    }
  }

  private get redirectUri(): string {
    return `${this.settings.publicUrl}/v1/login/callback`;
  }

  private granted(tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers): Granted {
    const { id_token: idToken, refresh_token: refreshToken } = tokens;
    const alg = idToken === undefined ? undefined : decodeProtectedHeader(idToken).alg;
    if (alg !== undefined && !this.settings.algorithms.some((one) => one === alg))
      throw new ApiError(
        'login.refused',
        `The provider signs with ${alg}, which this gateway does not accept (FLEET_OIDC_ALGORITHMS).`,
      );
    return { claims: tokens.claims(), idToken, refreshToken };
  }

  /** Created again when the provider's metadata change. */
  private async configuration(): Promise<client.Configuration> {
    const description = await this.source.description();
    if (this.made?.of === description) return this.made.configuration;
    const { clientId, clientSecret } = this.settings;
    const metadata = { [client.clockTolerance]: clockToleranceS };
    const configuration = new client.Configuration(
      // Parsed from JSON.
      description as client.ServerMetadata,
      clientId,
      metadata,
      authenticationOf(description, clientSecret),
    );
    configuration.timeout = timeoutS;
    // The TLS connection proves the token's origin; its signature does too.
    client.enableNonRepudiationChecks(configuration);
    // Marked so that it stands out: it is for a provider on this machine alone.
    // oxlint-disable-next-line typescript/no-deprecated
    if (isLoopback(new URL(description.issuer))) client.allowInsecureRequests(configuration);
    this.made = { of: description, configuration };
    return configuration;
  }

  private explained(error: unknown): unknown {
    const failure = loginFailure(error, this.settings.issuer);
    if (failure?.code === 'access.provider_unavailable')
      this.logger.error({ message: 'the provider refuses browser logins', reason: reasonOf(error) });
    return failure ?? error;
  }
}

/** The provider's preferred method; by default a header (OpenID Connect Discovery, 3). */
const authenticationOf = (description: ProviderDescription, secret: string | undefined): client.ClientAuth => {
  if (secret === undefined) return client.None();
  const methods = description['token_endpoint_auth_methods_supported'];
  const takesHeader = !Array.isArray(methods) || methods.includes('client_secret_basic');
  return takesHeader ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
};

import { principalOfClaims, type Claims } from '@fleet/access';
import type { BrowserLoginSettings, OidcSettings } from '@fleet/config';
import { meViewSchema, type Principal } from '@fleet/contracts/access';
import { number, record, text, type Described } from '@fleet/contracts/schema';
import type { Clock, LoginStore } from '@fleet/ports';
import { ApiError, isApiError } from '../../http/errors/problem-details';
import { attemptMs, type Arrival, type BrowserLogins } from './browser-logins';
import { Cookies } from './cookies';
import type { Granted, LoginClient, LoginTokens } from './login-client';
import { returnAddress } from './return-address';
import { SealedRecords, type SealedRecord } from './sealed-records';
import { nameOf, newSecret } from './sealing';

/** Interval at which the provider is queried for a login's validity and user, in milliseconds. */
const checkMs = 5 * 60_000;
/** Lifetime of a login that could not be checked with the provider, in milliseconds. */
const uncheckedMs = 60 * 60_000;
/**
 * Lease for the check of a login, in milliseconds, so that other gateways do not repeat it: the response takes seconds.
 * Correctness does not depend on it: the result is fenced by the record.
 */
const claimMs = 30_000;

const attemptSchema = record({ state: text(), nonce: text(), verifier: text(), returnTo: text() });

const loginSchema = record({
  principal: meViewSchema,
  startedAt: number('milliseconds since the epoch'),
  checkedAt: number('milliseconds since the epoch: when the provider last said so'),
  tokens: record({ subject: text() }, { idToken: text(), refreshToken: text() }),
});
type Login = Described<typeof loginSchema>;

const loginEnded = (): ApiError =>
  new ApiError('access.login_ended', 'Your login has ended, or the service has lost it. Log in again.');

const tokensOf = (subject: string, { idToken, refreshToken }: Granted): LoginTokens => ({
  subject,
  ...(idToken !== undefined && { idToken }),
  ...(refreshToken !== undefined && { refreshToken }),
});

type Settings = BrowserLoginSettings & Pick<OidcSettings, 'claims'>;

/**
 * Browser logins. The browser has a secret; the store has, under its hash and encrypted with it, the user and the
 * provider's tokens. Any gateway can continue a login; without the store users log in again.
 */
export class KeptBrowserLogins implements BrowserLogins {
  readonly offered: NonNullable<BrowserLogins['offered']>;
  private readonly attempts: SealedRecords<Described<typeof attemptSchema>>;
  private readonly logins: SealedRecords<Login>;

  constructor(
    private readonly settings: Settings,
    private readonly client: Pick<LoginClient, 'begin' | 'finish' | 'renew' | 'end'>,
    private readonly store: LoginStore,
    private readonly clock: Clock,
  ) {
    const { publicUrl, providerName } = settings;
    const { origin, protocol } = new URL(publicUrl);
    const cookies = new Cookies(protocol === 'https:');
    this.offered = { cookies, loginUrl: `${publicUrl}/v1/login`, providerName, origin };
    this.attempts = new SealedRecords(store, 'attempt', attemptSchema);
    this.logins = new SealedRecords(store, 'login', loginSchema);
  }

  async begin(
    asked: string | undefined,
    held: string | undefined,
  ): Promise<{ readonly loginUrl: string; readonly secret: string }> {
    const returnTo = returnAddress(this.settings.publicUrl, asked);
    const { loginUrl, attempt } = await this.client.begin();
    const secret = held ?? newSecret();
    await this.attempts.keep(attemptOf(secret, attempt.state), { ...attempt, returnTo }, attemptMs);
    return { loginUrl, secret };
  }

  async arrive(held: string | undefined, query: URLSearchParams): Promise<Arrival> {
    const state = query.get('state');
    const attempt = held === undefined || state === null ? undefined : await this.attempts.take(attemptOf(held, state));
    if (attempt === undefined)
      throw new ApiError(
        'login.not_begun',
        `This browser has not started this login, or the login is used already or older than 10 minutes. Log in again at ${this.offered.loginUrl}.`,
      );
    const granted = await this.client.finish(query, attempt);
    const { claims = {} } = granted;
    return {
      principal: this.principalIn(claims),
      tokens: tokensOf(String(claims['sub']), granted),
      returnTo: attempt.returnTo,
    };
  }

  async enter({ principal, tokens }: Arrival): Promise<string> {
    const secret = newSecret();
    const now = this.clock.now();
    await this.logins.keep(secret, { principal, startedAt: now, checkedAt: now, tokens }, this.settings.idleMs);
    return secret;
  }

  async principalOf(secret: string): Promise<Principal> {
    const { value: login } = await this.held(secret);
    const now = this.clock.now();
    if (now - login.startedAt >= this.settings.longestMs) throw await this.ended(secret);
    if (now - login.checkedAt < checkMs) return login.principal;
    return this.checked(login, secret);
  }

  async holderOf(secret: string): Promise<Principal | undefined> {
    return (await this.logins.use(secret, this.settings.idleMs))?.value.principal;
  }

  async end(secret: string): Promise<string | undefined> {
    const login = await this.logins.take(secret);
    return login === undefined ? undefined : this.client.end(login.tokens);
  }

  private principalIn(claims: Claims): Principal {
    const identified = principalOfClaims(claims, this.settings.claims);
    if ('principal' in identified) return identified.principal;
    throw new ApiError(
      'login.refused',
      `The provider does not identify a user. ${identified.mistakes.join(' ')} Check the claims at the provider, and FLEET_OIDC_CLAIMS.`,
    );
  }

  /** One gateway queries the provider; others use its last answer, for an hour at most. */
  private async checked({ principal, checkedAt, tokens }: Login, secret: string): Promise<Principal> {
    const isTooOld = this.clock.now() - checkedAt >= uncheckedMs;
    if (tokens.refreshToken === undefined) {
      if (isTooOld) throw await this.ended(secret);
      return principal;
    }
    try {
      if (await this.store.claim(`check:${nameOf(secret)}`, claimMs)) return await this.renewed(secret);
    } catch (error) {
      if (!isApiError(error) || error.code !== 'access.provider_unavailable') throw error;
    }
    if (!isTooOld) return principal;
    throw new ApiError(
      'access.provider_unavailable',
      'Your login cannot be checked: the identity provider is unreachable. Try again.',
    );
  }

  private async renewed(secret: string): Promise<Principal> {
    // Another gateway may have checked between this one's read and its claim.
    const held = await this.held(secret);
    const login = held.value;
    if (this.clock.now() - login.checkedAt < checkMs) return login.principal;
    const granted = await this.client.renew(login.tokens);
    const principal = granted === undefined ? undefined : this.stillIn(granted, login);
    if (granted === undefined || principal === undefined) {
      if (await this.logins.remove(secret, held)) throw loginEnded();
      return (await this.held(secret)).value.principal;
    }
    const tokens = { ...login.tokens, ...tokensOf(login.tokens.subject, granted) };
    const checked = { ...login, principal, checkedAt: this.clock.now(), tokens };
    const isNoted = await this.logins.replace(secret, held, checked, this.settings.idleMs);
    // If another gateway was faster its answer counts, and a logged-out user stays so.
    return isNoted ? principal : (await this.held(secret)).value.principal;
  }

  /** @throws ApiError `access.login_ended` */
  private async held(secret: string): Promise<SealedRecord<Login>> {
    const held = await this.logins.use(secret, this.settings.idleMs);
    if (held === undefined) throw loginEnded();
    return held;
  }

  /** The user according to the provider now; undefined if it no longer identifies one. */
  private stillIn({ claims }: Granted, { principal }: Login): Principal | undefined {
    if (claims === undefined) return principal;
    const identified = principalOfClaims(claims, this.settings.claims);
    return 'principal' in identified ? identified.principal : undefined;
  }

  private async ended(secret: string): Promise<ApiError> {
    await this.logins.take(secret);
    return loginEnded();
  }
}

/** Key of a login in progress: only the browser that began it knows both parts, and each of its tabs has its own. */
const attemptOf = (secret: string, state: string): string => `${secret}.${state}`;

import { Logger } from '@nestjs/common';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { isPrivateAddress } from '@fleet/config';
import { errnoOf, failureText } from '@fleet/contracts/faults';
import { isDescribed, list, record, text } from '@fleet/contracts/schema';
import type { Clock } from '@fleet/ports';
import { ApiError } from '../../http/errors/problem-details';
import { fetchDocument } from './fetch-document';

/** Milliseconds for which the provider's keys count without asking again: a key that it withdraws counts no longer than that. */
const freshMs = 10 * 60_000;
/** Milliseconds for which they count while the provider cannot be reached. It makes no tokens then, and those that it made end. */
const staleMs = 60 * 60_000;
/** Milliseconds between two questions because of a key that is not known: whoever makes keys up makes no traffic. */
const unknownKeyPauseMs = 30_000;
/** Milliseconds between two questions to a provider that does not answer: meanwhile nobody waits for it. */
const troublePauseMs = 5_000;

/** What a provider says of itself (OpenID Connect Discovery, 3). */
const providerSchema = record(
  { issuer: text(), jwks_uri: text() },
  {
    authorization_endpoint: text(),
    token_endpoint: text(),
    device_authorization_endpoint: text(),
    userinfo_endpoint: text(),
    revocation_endpoint: text(),
    end_session_endpoint: text(),
    id_token_signing_alg_values_supported: list(text()),
  },
);

/** Its description as it came, of which the members above were judged. */
export type ProviderDescription = Readonly<Record<string, unknown>> & {
  readonly issuer: string;
  readonly jwks_uri: string;
};

interface ProviderState {
  readonly description: ProviderDescription;
  readonly keyFor: LocalJWKSet;
  readonly at: number;
}

/** Where a provider with this issuer describes itself. */
const descriptionOf = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

const checkDescription = (found: unknown, issuer: string): ProviderDescription => {
  if (!isDescribed(providerSchema, found)) throw new Error(`${descriptionOf(issuer)} does not describe a provider`);
  if (found.issuer !== issuer)
    throw new Error(
      `the provider calls itself ${JSON.stringify(found.issuer)}; FLEET_OIDC_ISSUER has to be exactly that`,
    );
  const open = Object.entries(found).find(
    ([name, value]) => /_endpoint$|^jwks_uri$/.test(name) && typeof value === 'string' && !isPrivateAddress(value),
  );
  if (open !== undefined) throw new Error(`its ${open[0]}, ${String(open[1])}, is not an https address`);
  return { ...found };
};

/**
 * What the identity provider says of itself, with its keys. It is asked when it is needed, so that a gateway starts without it; while it
 * is away what it said last counts for an hour, and keys of the API count as usual.
 */
export class IdentityProvider {
  private readonly logger = new Logger('Identity');
  private known: ProviderState | undefined;
  private asking: Promise<boolean> | undefined;
  private requestedAt = -Infinity;
  private isAway = false;

  constructor(
    private readonly issuer: string,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `access.provider_unavailable` */
  async description(): Promise<ProviderDescription> {
    return (await this.current()).description;
  }

  /** The key that a token names. One that is not known may be new: the provider is asked for it, though not for each. */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    const { keyFor } = await this.current();
    try {
      return await keyFor(header, token);
    } catch (error) {
      if (errnoOf(error) !== 'ERR_JWKS_NO_MATCHING_KEY' || !(await this.ask(unknownKeyPauseMs))) throw error;
      return await (await this.current()).keyFor(header, token);
    }
  };

  private async current(): Promise<ProviderState> {
    const age = this.age();
    // Asked again beside the request, which does not wait: what is known is still good.
    if (age >= freshMs && age < staleMs) void this.ask(troublePauseMs);
    if (age >= staleMs) await this.ask(troublePauseMs);
    if (this.known !== undefined && this.age() < staleMs) return this.known;
    throw new ApiError(
      'access.provider_unavailable',
      `Who you are cannot be found out: the identity provider, ${this.issuer}, cannot be asked. Try again; keys of the API still open the gateway.`,
    );
  }

  private age(): number {
    return this.known === undefined ? Infinity : this.clock.now() - this.known.at;
  }

  /**
   * Asks, unless somebody just did.
   * @returns whether there is something new
   */
  private async ask(pauseMs: number): Promise<boolean> {
    if (this.asking !== undefined) return this.asking;
    if (Math.abs(this.clock.now() - this.requestedAt) < pauseMs) return false;
    this.requestedAt = this.clock.now();
    this.asking = this.learn();
    try {
      return await this.asking;
    } finally {
      this.asking = undefined;
    }
  }

  private async learn(): Promise<boolean> {
    try {
      const description = checkDescription(await fetchDocument(descriptionOf(this.issuer)), this.issuer);
      const keyFor = createLocalJWKSet((await fetchDocument(description.jwks_uri)) as JSONWebKeySet);
      this.known = { description, keyFor, at: this.clock.now() };
      if (this.isAway) this.logger.log('the identity provider is back');
      this.isAway = false;
      return true;
    } catch (error) {
      const reason = `${failureText(error)}${causeOf(error)}`;
      if (!this.isAway)
        this.logger.error({ message: 'the identity provider cannot be asked', issuer: this.issuer, reason });
      this.isAway = true;
      return false;
    }
  }
}

/** `fetch` says that it failed; why is in the cause. */
const causeOf = (error: unknown): string => {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? '' : ` (${errnoOf(cause) ?? failureText(cause)})`;
};

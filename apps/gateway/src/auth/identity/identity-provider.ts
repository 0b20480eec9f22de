import { Logger } from '@nestjs/common';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { isPrivateAddress } from '@fleet/config';
import { errnoOf, failureText } from '@fleet/contracts/faults';
import { isDescribed, list, record, text } from '@fleet/contracts/schema';
import type { Clock } from '@fleet/ports';
import { ApiError } from '../../http/errors/problem-details';
import { fetchDocument } from './fetch-document';

/**
 * Lifetime of the provider's keys before they are fetched again, in milliseconds: also the maximum lifetime of a
 * withdrawn key.
 */
const freshMs = 10 * 60_000;
/**
 * Lifetime of the keys while the provider is unreachable, in milliseconds. It issues no tokens then, and existing ones
 * expire.
 */
const staleMs = 60 * 60_000;
/** Milliseconds between two fetches because of an unknown key: invented keys cause no traffic. */
const unknownKeyPauseMs = 30_000;
/** Milliseconds between two requests to a provider that does not respond; callers do not wait meanwhile. */
const troublePauseMs = 5_000;

/** Provider metadata (OpenID Connect Discovery, 3). */
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

/** The metadata as received; the members above were validated. */
export type ProviderDescription = Readonly<Record<string, unknown>> & {
  readonly issuer: string;
  readonly jwks_uri: string;
};

interface ProviderState {
  readonly description: ProviderDescription;
  readonly keyFor: LocalJWKSet;
  readonly at: number;
}

/** URL of the metadata of a provider with this issuer. */
const descriptionOf = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

const checkDescription = (found: unknown, issuer: string): ProviderDescription => {
  if (!isDescribed(providerSchema, found)) throw new Error(`${descriptionOf(issuer)} does not describe a provider`);
  if (found.issuer !== issuer)
    throw new Error(
      `the issuer of the provider is ${JSON.stringify(found.issuer)}; FLEET_OIDC_ISSUER must be exactly that`,
    );
  const open = Object.entries(found).find(
    ([name, value]) => /_endpoint$|^jwks_uri$/.test(name) && typeof value === 'string' && !isPrivateAddress(value),
  );
  if (open !== undefined) throw new Error(`its ${open[0]}, ${String(open[1])}, is not an https URL`);
  return { ...found };
};

/**
 * The identity provider's metadata and keys. They are fetched when needed, so that a gateway starts without the
 * provider. While it is unreachable the last ones are used for an hour, and API keys work as usual.
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

  /** The key that a token names. An unknown one may be new: the provider is queried for it, at a limited rate. */
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
    // Refreshed in the background: the cached ones are still valid.
    if (age >= freshMs && age < staleMs) void this.ask(troublePauseMs);
    if (age >= staleMs) await this.ask(troublePauseMs);
    if (this.known !== undefined && this.age() < staleMs) return this.known;
    throw new ApiError(
      'access.provider_unavailable',
      `The identity provider, ${this.issuer}, is unreachable, so your token cannot be checked. Try again; API keys still work.`,
    );
  }

  private age(): number {
    return this.known === undefined ? Infinity : this.clock.now() - this.known.at;
  }

  /**
   * Fetches them, unless that was just done.
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
        this.logger.error({ message: 'the identity provider is unreachable', issuer: this.issuer, reason });
      this.isAway = true;
      return false;
    }
  }
}

/** `fetch` only reports that it failed; the reason is in the cause. */
const causeOf = (error: unknown): string => {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? '' : ` (${errnoOf(cause) ?? failureText(cause)})`;
};

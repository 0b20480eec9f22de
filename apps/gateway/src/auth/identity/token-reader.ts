import { decodeJwt, jwtVerify, type JWTPayload, type JWTVerifyResult } from 'jose';
import { principalOfClaims } from '@fleet/access';
import type { OidcSettings } from '@fleet/config';
import type { Principal } from '@fleet/contracts/access';
import type { Clock } from '@fleet/ports';
import { ApiError } from '../../http/errors/problem-details';
import type { IdentityProvider } from './identity-provider';
import { tokenRefusal } from './token-refusal';

export const TOKEN_READER = Symbol('TokenReader');

/** Reads tokens of the identity provider, if there is one. */
export interface TokenReader {
  /** Undefined: there is none, and tokens are rejected. */
  readonly provider: OidcSettings | undefined;
  /** @throws ApiError `access.bad_credentials`, or `access.provider_unavailable` while it cannot be checked */
  principalOf(token: string): Promise<Principal>;
}

/** A gateway that accepts only keys. */
export const noTokens: TokenReader = {
  provider: undefined,
  principalOf: () =>
    Promise.reject(
      new ApiError(
        'access.bad_credentials',
        'This gateway accepts keys only: no identity provider is configured (FLEET_OIDC_ISSUER).',
      ),
    ),
};

/**
 * Allowed difference between the clocks of provider and gateway, in seconds. Synchronised machines differ by less than
 * one, and a token that expired a minute ago still identifies its owner. Two minutes mean a wrong clock, and are
 * reported.
 */
export const clockToleranceS = 60;

/** Allowed types of an access token (RFC 9068, 4); older providers use JWT or none. */
const types: readonly (string | undefined)[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** Claims of tokens with another purpose: an ID token is for the page that requested it and grants no access here. */
const ofIdTokens: readonly string[] = ['nonce', 'at_hash', 'c_hash'];

/** Why a validly signed token does not grant access to the API; undefined if it does. */
const misuse = ({ payload, protectedHeader }: JWTVerifyResult): string | undefined => {
  if (!types.includes(protectedHeader.typ?.toLowerCase()))
    return `is of the type ${JSON.stringify(protectedHeader.typ)}, and not an access token`;
  const tokenType = payload['typ'];
  if (typeof tokenType === 'string' && !/^bearer$/i.test(tokenType))
    return `is of the type ${JSON.stringify(tokenType)}, and not an access token`;
  if (ofIdTokens.some((claim) => claim in payload)) return 'is an ID token; send the access token';
  if ('cnf' in payload)
    return 'is bound to a key or certificate of its owner, which this gateway does not support; request an unbound token';
  return undefined;
};

/** Reads tokens of one provider. */
export class ProviderTokens implements TokenReader {
  constructor(
    readonly provider: OidcSettings,
    private readonly source: IdentityProvider,
    private readonly clock: Clock,
  ) {}

  async principalOf(token: string): Promise<Principal> {
    const verified = await this.verified(token);
    const why = misuse(verified) ?? this.fromTheFuture(verified.payload);
    if (why !== undefined) throw new ApiError('access.bad_credentials', `The token ${why}.`);
    const identified = principalOfClaims(verified.payload, this.provider.claims);
    if ('principal' in identified) return identified.principal;
    throw new ApiError(
      'access.bad_credentials',
      `The token does not identify a user. ${identified.mistakes.join(' ')} Check the token's claims at the provider, and FLEET_OIDC_CLAIMS.`,
    );
  }

  private async verified(token: string): Promise<JWTVerifyResult> {
    const { issuer, audience, algorithms } = this.provider;
    try {
      // Before the provider is queried for a key, because it has none for foreign tokens.
      if (decodeJwt(token).iss !== issuer)
        throw new ApiError(
          'access.bad_credentials',
          `The token is not from the identity provider of this gateway, ${issuer}.`,
        );
      return await jwtVerify(token, this.source.keyFor, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockToleranceS,
        currentDate: new Date(this.clock.now()),
        requiredClaims: ['exp'],
      });
    } catch (error) {
      throw tokenRefusal(error, { audience, algorithms, nowMs: this.clock.now() }) ?? error;
    }
  }

  private fromTheFuture({ iat }: JWTPayload): string | undefined {
    const now = this.clock.now() / 1000;
    if (iat === undefined || iat <= now + clockToleranceS) return undefined;
    return `was issued ${String(Math.round(iat - now))} s from now, by the clock of this gateway: its clock or the provider's is wrong`;
  }
}

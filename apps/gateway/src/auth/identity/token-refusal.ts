import type { OidcSettings } from '@fleet/config';
import { errnoOf } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import { ApiError } from '../../http/errors/problem-details';

/** Facts for the explanation of a rejection. */
interface Circumstances extends Pick<OidcSettings, 'audience' | 'algorithms'> {
  /** Milliseconds since the epoch, by the clock that validated the token. */
  readonly nowMs: number;
}

const memberOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

const claimOf = (error: unknown, name: string): unknown => memberOf(memberOf(error, 'payload'), name);

/** The difference between a time claim and now, as text. */
const distance = (error: unknown, claim: string, { nowMs }: Circumstances): string => {
  const at = claimOf(error, claim);
  return typeof at === 'number' ? `${String(Math.abs(Math.round(at - nowMs / 1000)))} s` : 'some time';
};

const aboutClaim = (error: unknown, circumstances: Circumstances): string => {
  const claim = String(memberOf(error, 'claim'));
  if (memberOf(error, 'reason') === 'missing') return `does not have the claim ${claim}`;
  if (claim === 'aud')
    return `was made for ${shown(claimOf(error, 'aud'))}, not for this gateway, whose audience is ${circumstances.audience}`;
  if (claim === 'nbf')
    return `is not valid before ${distance(error, 'nbf', circumstances)} from now, by the clock of this gateway: its clock or the provider's is wrong`;
  return `has an invalid claim ${claim}`;
};

/** By the code of the library's error; its classes differ between two copies of it. */
const reasons: Readonly<Record<string, (error: unknown, circumstances: Circumstances) => string>> = {
  ERR_JWT_EXPIRED: (error, circumstances) =>
    `expired ${distance(error, 'exp', circumstances)} ago, by the clock of this gateway. Ask the provider for a new one`,
  ERR_JWT_CLAIM_VALIDATION_FAILED: aboutClaim,
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: () => 'has an invalid signature',
  ERR_JWKS_NO_MATCHING_KEY: () => 'is signed with a key that the provider does not publish',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: () => "does not name the provider's key that signed it (kid)",
  ERR_JOSE_ALG_NOT_ALLOWED: (_, { algorithms }) => `is not signed with an accepted algorithm: ${algorithms.join(', ')}`,
};

/** The error response for a rejected token; undefined if the error does not concern the token. */
export const tokenRefusal = (error: unknown, circumstances: Circumstances): ApiError | undefined => {
  const code = errnoOf(error) ?? '';
  // A problem with the provider's own keys is not the caller's error.
  if (!/^ERR_J(?:OSE|WS|WT|WKS)_/.test(code) || code === 'ERR_JWKS_INVALID') return undefined;
  const reason = reasons[code]?.(error, circumstances) ?? 'is not a signed token (JWT)';
  return new ApiError('access.bad_credentials', `The token ${reason}.`);
};

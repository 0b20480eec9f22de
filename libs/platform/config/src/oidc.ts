import { claimMappingSchema, claimMappingRequestSchema, type ClaimMapping } from '@fleet/contracts/access';
import { mistakesIn, withDefaults } from '@fleet/contracts/schema';
import { ConfigError, type ConfigProblem } from './config.error';
import type { OidcConfig, TokenAlgorithm } from './oidc-section';

/** The trusted identity provider, and what is trusted. */
export interface OidcSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly TokenAlgorithm[];
  readonly claims: ClaimMapping;
  /** Id of the public client for phx; undefined: phx has no login there. */
  readonly deviceClient?: string | undefined;
  /** Requested scopes of a login. */
  readonly scopes: string;
}

const readClaims = (text: string): { readonly claims: ClaimMapping; readonly problems: readonly ConfigProblem[] } => {
  const variable = 'FLEET_OIDC_CLAIMS';
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    parsed = {};
    const reason = `is not JSON: ${String(error)}`;
    return { claims: withDefaults(claimMappingSchema, parsed) as ClaimMapping, problems: [{ variable, reason }] };
  }
  const problems = mistakesIn(claimMappingRequestSchema, parsed).map(({ field, reason, allowed }) => ({
    variable,
    reason: `${field === '' ? 'it' : field} ${reason}`,
    allowed,
  }));
  return { claims: withDefaults(claimMappingSchema, parsed) as ClaimMapping, problems };
};

/** Reports variables that would have no effect because a related one is missing. */
const leftAlone = ({ issuer, audience, claims, deviceClient }: OidcConfig): readonly ConfigProblem[] => {
  if (issuer !== undefined) return [];
  const given = {
    FLEET_OIDC_AUDIENCE: audience !== undefined,
    FLEET_OIDC_CLAIMS: claims.trim() !== '{}',
    FLEET_OIDC_DEVICE_CLIENT: deviceClient !== undefined,
  };
  return Object.entries(given)
    .filter(([, isGiven]) => isGiven)
    .map(([variable]) => ({ variable, reason: 'is set, and FLEET_OIDC_ISSUER is not: set both or none' }));
};

/**
 * The identity provider; undefined if there is none.
 * @throws ConfigError with all problems
 */
export const oidcOf = (config: OidcConfig): OidcSettings | undefined => {
  const { issuer, audience, algorithms, deviceClient, scopes } = config;
  const { claims, problems } = readClaims(config.claims);
  const all = [...problems, ...leftAlone(config)];
  if (issuer !== undefined && audience === undefined)
    all.push({
      variable: 'FLEET_OIDC_AUDIENCE',
      reason: 'is missing, but FLEET_OIDC_ISSUER is set: without it, tokens for any other service would be accepted',
      allowed: 'one word of ASCII characters',
    });
  if (all.length > 0) throw new ConfigError(all);
  if (issuer === undefined || audience === undefined) return undefined;
  return {
    issuer,
    audience,
    algorithms: algorithms.split(',').map((name) => name.trim()) as TokenAlgorithm[],
    claims,
    deviceClient,
    scopes,
  };
};

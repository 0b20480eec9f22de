import { isIP } from 'node:net';
import { isNetwork, networksIn } from './networks';
import { isProviderAddress } from './provider-address';
import { ChoiceVariable, FileVariable, IntegerVariable, TextVariable } from './variable.decorator';

/** The maximum that Redis counts per minute. */
const mostPerMinute = 100_000_000;

const isProxy = (text: string): boolean => isIP(text) !== 0 || (isNetwork(text) && !text.endsWith('/0'));

/** Access control and rate limits. */
export class AccessConfig {
  @FileVariable('FLEET_INITIAL_ADMIN_KEY_FILE', {
    what: "file with an administrator's API key (`phx_…`), valid from the gateway's start: the first key of an unattended installation. Readable by its owner only, never in the work folder",
    optional: true,
  })
  readonly initialAdminKeyFile?: string;

  @ChoiceVariable('FLEET_OPEN_ACCESS', {
    what: 'behaviour of a gateway without any API key: `loopback` listens on this machine only and refuses to start with another FLEET_GATEWAY_HOST; `anywhere` listens there and gives everyone full access',
    default: 'loopback',
    choices: ['loopback', 'anywhere'],
  })
  readonly openAccess: 'loopback' | 'anywhere';

  @ChoiceVariable('FLEET_SHARED_ACCOUNT', {
    what: "whether programs of all proposals may run under the account of the services (FLEET_BACKEND=local on one machine). They can then read each other's files and the services' secrets. `refused`: a gateway with keys does not start",
    default: 'refused',
    choices: ['refused', 'accepted'],
  })
  readonly sharedAccount: 'refused' | 'accepted';

  @TextVariable('FLEET_TRUSTED_PROXIES', {
    what: 'proxies whose `X-Forwarded-For` is trusted; for all other clients the IP address of the connection counts. Not set: no proxy is trusted',
    optional: true,
    pattern: /^[0-9A-Fa-f:./, ]+$/,
    holds: (text) => networksIn(text).every(isProxy),
    allowed: 'IP addresses and networks separated by commas: 127.0.0.1, 10.1.0.0/16; not /0',
  })
  readonly trustedProxies?: string;

  @TextVariable('FLEET_PROPOSAL_MEMBERS_URL', {
    what: "URL of the user office's service for proposal members (docs/access.md), called with `?owner=NAME` and `?proposal=NAME`; replaces FLEET_PROPOSAL_MEMBERS_FILE",
    optional: true,
    pattern: /^\S{1,500}$/,
    holds: isProviderAddress,
    allowed: 'an https URL without query and fragment; http only for a service on this machine',
  })
  readonly membersUrl?: string;

  @FileVariable('FLEET_PROPOSAL_MEMBERS_TOKEN_FILE', {
    what: 'file with the bearer token for the user office, read at the start',
    optional: true,
  })
  readonly membersTokenFile?: string;

  @IntegerVariable('FLEET_PROPOSAL_MEMBERS_FRESH_S', {
    what: 'seconds that a response of the user office is cached; if the user office is unreachable, cached responses are used for up to a day',
    default: '300',
    min: 1,
    max: 86_400,
  })
  readonly membersFreshS: number;

  @IntegerVariable('FLEET_MAX_REQUESTS_PER_MINUTE', {
    what: 'requests per minute of one user or program, over all their keys and all gateways. An event stream counts as one, health probes do not count. Further requests get 429 with Retry-After. 0: no limit',
    default: '60000',
    min: 0,
    max: mostPerMinute,
  })
  readonly requestsPerMinute: number;

  @IntegerVariable('FLEET_MAX_SUBMISSIONS_PER_MINUTE', {
    what: 'sessions and batch rows submitted per minute by one user or program, counted in the same way. 0: no limit',
    default: '20000',
    min: 0,
    max: mostPerMinute,
  })
  readonly submissionsPerMinute: number;

  @IntegerVariable('FLEET_MAX_REFUSALS_PER_MINUTE', {
    what: 'requests without a valid key or token, and started logins, per minute and IP address over all gateways. Further ones get 429 and are not in the audit log. Valid keys from the same address are not affected. 0: no limit',
    default: '600',
    min: 0,
    max: mostPerMinute,
  })
  readonly refusalsPerMinute: number;
}

/** The trusted proxies, each an IP address or a network. */
export const trustedProxiesOf = ({ trustedProxies = '' }: Pick<AccessConfig, 'trustedProxies'>): readonly string[] =>
  networksIn(trustedProxies);

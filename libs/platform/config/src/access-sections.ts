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
    what: "file with an administrator's key of the API (`phx_…`), which the gateway knows from its start on: how the first key comes into a facility; for its owner's eyes alone, never in the work folder",
    optional: true,
  })
  readonly initialAdminKeyFile?: string;

  @ChoiceVariable('FLEET_OPEN_ACCESS', {
    what: 'what a gateway does that knows nobody because no key was ever made: `loopback`, it listens on this machine alone and does not start with another FLEET_GATEWAY_HOST; `anywhere`, it listens there and lets everybody do everything',
    default: 'loopback',
    choices: ['loopback', 'anywhere'],
  })
  readonly openAccess: 'loopback' | 'anywhere';

  @ChoiceVariable('FLEET_SHARED_ACCOUNT', {
    what: "whether the programs of all proposals may run under one account, that of the services, as they do on one machine (FLEET_BACKEND=local): nothing keeps them from each other's files then, nor from the services' secrets. `refused`: a gateway with keys does not start there",
    default: 'refused',
    choices: ['refused', 'accepted'],
  })
  readonly sharedAccount: 'refused' | 'accepted';

  @TextVariable('FLEET_TRUSTED_PROXIES', {
    what: 'proxies that are believed when they say for whom they ask (`X-Forwarded-For`); the address of everybody else is that of their connection, whatever they say. Without it no proxy is believed',
    optional: true,
    pattern: /^[0-9A-Fa-f:./, ]+$/,
    holds: (text) => networksIn(text).every(isProxy),
    allowed: 'addresses and networks with commas between them: 127.0.0.1, 10.1.0.0/16; not everybody (/0)',
  })
  readonly trustedProxies?: string;

  @TextVariable('FLEET_PROPOSAL_MEMBERS_URL', {
    what: 'where the user office says who belongs to which proposals (docs/access.md): asked with `?owner=NAME` and `?proposal=NAME`; in place of FLEET_PROPOSAL_MEMBERS_FILE',
    optional: true,
    pattern: /^\S{1,500}$/,
    holds: isProviderAddress,
    allowed: 'an https URL without query and fragment; http for a service on this machine alone',
  })
  readonly membersUrl?: string;

  @FileVariable('FLEET_PROPOSAL_MEMBERS_TOKEN_FILE', {
    what: 'file with the token that the user office is shown (`Authorization: Bearer`), read at the start',
    optional: true,
  })
  readonly membersTokenFile?: string;

  @IntegerVariable('FLEET_PROPOSAL_MEMBERS_FRESH_S', {
    what: 'seconds for which an answer of the user office counts without asking it again; while it cannot be asked its last answers count for a day',
    default: '300',
    min: 1,
    max: 86_400,
  })
  readonly membersFreshS: number;

  @IntegerVariable('FLEET_MAX_REQUESTS_PER_MINUTE', {
    what: 'requests that one person or program may make in a minute, over all their keys and all gateways; an event stream is one, health probes are none. More are answered with 429 and Retry-After. 0: no limit',
    default: '60000',
    min: 0,
    max: mostPerMinute,
  })
  readonly requestsPerMinute: number;

  @IntegerVariable('FLEET_MAX_SUBMISSIONS_PER_MINUTE', {
    what: 'sessions and rows of batches that one person or program may submit in a minute, counted in the same way. 0: no limit',
    default: '20000',
    min: 0,
    max: mostPerMinute,
  })
  readonly submissionsPerMinute: number;

  @IntegerVariable('FLEET_MAX_REFUSALS_PER_MINUTE', {
    what: 'requests without a valid key or token, and logins that are begun, from one IP address in a minute, over all gateways; more are answered with 429 and leave no line in the audit log. Valid keys from there open the gateway all the same. 0: no limit',
    default: '600',
    min: 0,
    max: mostPerMinute,
  })
  readonly refusalsPerMinute: number;
}

/** The trusted proxies, each an IP address or a network. */
export const trustedProxiesOf = ({ trustedProxies = '' }: Pick<AccessConfig, 'trustedProxies'>): readonly string[] =>
  networksIn(trustedProxies);

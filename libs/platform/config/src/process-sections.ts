import { DAY_MS } from './upkeep-sections';
import { ChoiceVariable, IntegerVariable, TextVariable } from './variable.decorator';

/**
 * The listener for administrators: metrics, and the health of a worker (the gateway reports its own on its main port).
 */
export class HealthConfig {
  @IntegerVariable('FLEET_HEALTH_PORT', {
    what: 'TCP port for those who run the service: /metrics, and of a worker /health/live and /health/ready, without a key; 0 switches it off',
    default: '0',
    min: 0,
    max: 65_535,
  })
  readonly port: number;

  @TextVariable('FLEET_HEALTH_HOST', {
    what: 'address of that port; 0.0.0.0 for all',
    default: '127.0.0.1',
    pattern: /^[A-Za-z0-9.:_-]+$/,
    allowed: 'a host name or an IP address',
  })
  readonly host: string;

  @IntegerVariable('FLEET_QUEUE_LAG_LIMIT_S', {
    what: 'seconds the oldest waiting step may wait before the gateway reports the service as degraded',
    default: '60',
    min: 1,
    max: 86_400,
  })
  readonly queueLagLimitS: number;

  @IntegerVariable('FLEET_STEP_AGE_LIMIT_S', {
    what: 'seconds one step may take before its worker reports that it is not ready',
    default: '300',
    min: 1,
    max: 86_400,
  })
  readonly stepAgeLimitS: number;
}

/** Output to standard output. */
export class LogConfig {
  @ChoiceVariable('FLEET_LOG_LEVEL', {
    what: 'the least important level that is written',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error'],
  })
  readonly level: 'debug' | 'info' | 'warn' | 'error';

  @ChoiceVariable('FLEET_LOG_FORMAT', {
    what: 'one JSON object per line, or lines for people',
    default: 'json',
    choices: ['json', 'text'],
  })
  readonly format: 'json' | 'text';
}

/** The shares of slots for programs: the gateway and the executors must have the same. */
export class SharesConfig {
  @TextVariable('FLEET_SHARES', {
    what: 'how slots are shared as long as no administrator says otherwise (`phx admin shares`), as JSON',
    default: '{}',
    pattern: /^\s*\{[\s\S]*\}\s*$/,
    allowed: 'a JSON object; docs/fair-shares.md has its members',
  })
  readonly shares: string;

  @TextVariable('FLEET_PROPOSAL_GROUPS', {
    what: 'groups of proposals that metrics count the slots of, as JSON: `{"users": ["mx*"], "in-house": ["nt*", "cm12345"]}`; the first one that fits counts, the rest is `other`',
    default: '{}',
    pattern: /^\s*\{[\s\S]*\}\s*$/,
    allowed: 'a JSON object: at most 20 names, each with proposals or their beginnings and *',
  })
  readonly proposalGroups: string;
}

/** Processing of queued steps. */
export class StepConfig {
  @IntegerVariable('FLEET_STEP_LOCK_MS', {
    what: 'milliseconds until the steps of a dead worker are given to others; 0 uses the policy of the queue',
    default: '0',
    min: 0,
    max: DAY_MS,
  })
  readonly lockMs: number;

  @IntegerVariable('FLEET_STEP_CONCURRENCY', {
    what: 'steps a worker takes at the same time; 0 uses the policy of the queue',
    default: '0',
    min: 0,
    max: 1_000,
  })
  readonly concurrency: number;
}

import { DAY_MS } from './upkeep-sections';
import { ChoiceVariable, IntegerVariable, TextVariable } from './variable.decorator';

/**
 * The listener for administrators: metrics, and the health of a worker (the gateway reports its own on its main port).
 */
export class HealthConfig {
  @IntegerVariable('FLEET_HEALTH_PORT', {
    what: 'TCP port for /metrics, and in workers /health/live and /health/ready, without a key; 0: off',
    default: '0',
    min: 0,
    max: 65_535,
  })
  readonly port: number;

  @TextVariable('FLEET_HEALTH_HOST', {
    what: 'IP address of that port; 0.0.0.0: all addresses',
    default: '127.0.0.1',
    pattern: /^[A-Za-z0-9.:_-]+$/,
    allowed: 'a host name or an IP address',
  })
  readonly host: string;

  @IntegerVariable('FLEET_QUEUE_LAG_LIMIT_S', {
    what: 'wait of the oldest step in seconds from which the gateway reports `degraded`',
    default: '60',
    min: 1,
    max: 86_400,
  })
  readonly queueLagLimitS: number;

  @IntegerVariable('FLEET_STEP_AGE_LIMIT_S', {
    what: 'duration of a step in seconds from which its worker reports that it is not ready',
    default: '300',
    min: 1,
    max: 86_400,
  })
  readonly stepAgeLimitS: number;
}

/** Output to standard output. */
export class LogConfig {
  @ChoiceVariable('FLEET_LOG_LEVEL', {
    what: 'minimum level of log lines',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error'],
  })
  readonly level: 'debug' | 'info' | 'warn' | 'error';

  @ChoiceVariable('FLEET_LOG_FORMAT', {
    what: 'one JSON object per line, or readable text',
    default: 'json',
    choices: ['json', 'text'],
  })
  readonly format: 'json' | 'text';
}

/** The shares of slots for programs: the gateway and the executors must have the same. */
export class SharesConfig {
  @TextVariable('FLEET_SHARES', {
    what: 'default slot limits and weights (fair shares), as JSON; an administrator can override them (`phx admin shares`)',
    default: '{}',
    pattern: /^\s*\{[\s\S]*\}\s*$/,
    allowed: 'a JSON object (see docs/fair-shares.md)',
  })
  readonly shares: string;

  @TextVariable('FLEET_PROPOSAL_GROUPS', {
    what: 'groups of proposals for slot metrics, as JSON: `{"users": ["mx*"], "in-house": ["nt*", "cm12345"]}`; the first match counts, the rest is `other`',
    default: '{}',
    pattern: /^\s*\{[\s\S]*\}\s*$/,
    allowed: 'a JSON object of at most 20 names, each with a list of proposals or prefixes with *',
  })
  readonly proposalGroups: string;
}

/** Processing of queued steps. */
export class StepConfig {
  @IntegerVariable('FLEET_STEP_LOCK_MS', {
    what: 'milliseconds until other workers take over the steps of a dead worker; 0: policy of the queue',
    default: '0',
    min: 0,
    max: DAY_MS,
  })
  readonly lockMs: number;

  @IntegerVariable('FLEET_STEP_CONCURRENCY', {
    what: 'concurrent steps of a worker; 0: policy of the queue',
    default: '0',
    min: 0,
    max: 1_000,
  })
  readonly concurrency: number;
}

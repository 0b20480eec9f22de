import {
  ConfigError,
  databaseAddresses,
  redisAddresses,
  type ConfigProblem,
  type DatabaseConfig,
  type KubernetesConfig,
  type RedisConfig,
  type StorageConfig,
} from '@fleet/config';
import { isFault } from '@fleet/contracts/faults';
import type { RuleBook } from '@fleet/knowledge-model';
import { KubernetesBackend, loadKubernetesSettings, type KubernetesSettings } from '@fleet/kubernetes-backend';
import type { Clock, Metrics } from '@fleet/ports';
import type { ExecutionSite } from './execution-site';
import { commandNames } from './programs/command-names';
import { usableWorkRoot } from './work-root';

const variable = 'FLEET_KUBERNETES_FILE';

interface ClusterSurroundings {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly onWarning: (message: string) => void;
  /** An endpoint that programs must not reach. */
  readonly database: Pick<DatabaseConfig, 'url'>;
  readonly redis: Pick<RedisConfig, 'url'>;
}

/**
 * A cluster as execution site.
 * @throws ConfigError if the settings file is not configured, is unreadable or invalid (with all problems), or if the
 *   work root is unsuitable
 */
export const makeKubernetesSite = (
  config: KubernetesConfig,
  storage: StorageConfig,
  rules: RuleBook,
  { clock, metrics, onWarning, database, redis }: ClusterSurroundings,
): ExecutionSite => {
  const settings = settingsOf(config);
  const { classes, limits, memoryClassesMiB, api } = settings;
  const workRoot = usableWorkRoot(storage, onWarning);
  return {
    backend: new KubernetesBackend({
      settings,
      workRoot,
      programs: commandNames(rules),
      clock,
      onWarning,
      metrics,
      closedTo: [
        ...databaseAddresses(database).map((at) => ({ what: 'PostgreSQL', ...at })),
        ...redisAddresses(redis).map(({ host, port }) => ({ what: 'Redis', host, port })),
      ],
    }),
    resources: { memory: { classesMiB: memoryClassesMiB }, gpus: classes.gpu !== undefined },
    launches: { ...limits, classes: { cpu: classes.cpu.maxRunning, gpu: classes.gpu?.maxRunning ?? 0 } },
    relistMs: api.relistSeconds * 1_000,
  };
};

const settingsOf = ({ file }: KubernetesConfig): KubernetesSettings => {
  if (file === undefined) {
    throw new ConfigError([{ variable, reason: 'is missing, and FLEET_BACKEND=kubernetes needs it' }]);
  }
  try {
    return loadKubernetesSettings(file);
  } catch (error) {
    if (!isFault(error)) throw error;
    const problems = error.problems.map(({ field, reason, allowed }): ConfigProblem => ({
      variable,
      reason: `${field} ${reason}`,
      ...(allowed !== undefined && { allowed }),
    }));
    throw new ConfigError(problems.length > 0 ? problems : [{ variable, reason: error.message }]);
  }
};

import { totalmem } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { programEnvironment, type ExecutorConfig, type StorageConfig } from '@fleet/config';
import type { RuleBook } from '@fleet/knowledge-model';
import { LocalBackend } from '@fleet/local-backend';
import type { Clock } from '@fleet/ports';
import type { ExecutionSite } from './execution-site';
import { commandNames } from './programs/command-names';
import { usableWorkRoot } from './work-root';

/** Memory of this computer that programs may take, in MiB. */
const programMemoryMiB = ({ memoryFraction }: Pick<ExecutorConfig, 'memoryFraction'>): number =>
  Math.floor((totalmem() * memoryFraction) / 1024 ** 2);

/** This computer. It counts its programs itself, so that no limit over all executors is needed. */
export const makeLocalSite = (
  config: ExecutorConfig,
  storage: StorageConfig,
  rules: RuleBook,
  clock: Clock,
  onWarning: (message: string) => void,
): ExecutionSite => ({
  backend: makeLocalBackend(config, storage, rules, clock, onWarning),
  resources: { memory: { machineMiB: programMemoryMiB(config) }, gpus: false },
  launches: { maxRunning: 0, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 } },
  relistMs: 30_000,
});

const makeLocalBackend = (
  config: ExecutorConfig,
  storage: StorageConfig,
  rules: RuleBook,
  clock: Clock,
  onWarning: (message: string) => void,
): LocalBackend => {
  const environment = programEnvironment();
  return new LocalBackend({
    workRoot: usableWorkRoot(storage, onWarning),
    maxRunning: config.maxRunning,
    memoryMiB: programMemoryMiB(config),
    environment,
    clock,
    onWarning,
    probe: {
      programs: commandNames(rules),
      ...(config.phenixDir !== undefined && { phenixFolder: config.phenixDir }),
      ...(config.openPhenixDir !== undefined && { openPhenixFolder: config.openPhenixDir }),
      // A relative entry of PATH would mean another folder in each program's own.
      searchFolders: (environment.PATH ?? '').split(delimiter).filter(isAbsolute),
      onWarning,
    },
  });
};

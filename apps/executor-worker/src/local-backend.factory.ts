import { spawnSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { ownerOfFolder } from '@fleet/attempt-runner';
import { ConfigError, programEnvironment, type ExecutorConfig, type StorageConfig } from '@fleet/config';
import type { RuleBook } from '@fleet/knowledge-model';
import { LocalBackend, type LocalBackendOptions } from '@fleet/local-backend';
import type { Clock } from '@fleet/ports';
import type { ExecutionSite } from './execution-site';
import { commandNames } from './programs/command-names';
import { usableWorkRoot } from './work-root';

/** Memory of this computer for programs, in MiB. */
const programMemoryMiB = ({ memoryFraction }: Pick<ExecutorConfig, 'memoryFraction'>): number =>
  Math.floor((totalmem() * memoryFraction) / 1024 ** 2);

/** The configuration of local programs. */
interface LocalPrograms {
  readonly config: ExecutorConfig;
  readonly runAsOwnerOf: string | undefined;
}

/** This computer. It counts its programs itself, so that no limit over all executors is needed. */
export const makeLocalSite = (
  programs: LocalPrograms,
  storage: StorageConfig,
  rules: RuleBook,
  clock: Clock,
  onWarning: (message: string) => void,
): ExecutionSite => ({
  backend: makeLocalBackend(programs, storage, rules, clock, onWarning),
  resources: { memory: { machineMiB: programMemoryMiB(programs.config) }, gpus: false },
  launches: { maxRunning: 0, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 } },
  relistMs: 30_000,
});

/**
 * The account of a proposal's programs.
 * @throws ConfigError if the executor cannot switch to it
 */
const accountsOf = (runAsOwnerOf: string | undefined, workRoot: string): Pick<LocalBackendOptions, 'accountOf'> => {
  if (runAsOwnerOf === undefined) return {};
  const refused = (reason: string): ConfigError =>
    new ConfigError([
      {
        variable: 'FLEET_PROGRAMS_RUN_AS_OWNER_OF',
        reason,
        allowed: 'an executor that is root, with setpriv (util-linux) on its PATH',
      },
    ]);
  if (process.getuid?.() !== 0) throw refused('is set, and the executor is not root');
  if (spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status !== 0)
    throw refused('is set, and there is no setpriv');
  // Accounts of proposals pass through it to their own folders; they cannot list it.
  chmodSync(workRoot, statSync(workRoot).mode | 0o001);
  return { accountOf: (owner) => ownerOfFolder(runAsOwnerOf, owner) };
};

const makeLocalBackend = (
  { config, runAsOwnerOf }: LocalPrograms,
  storage: StorageConfig,
  rules: RuleBook,
  clock: Clock,
  onWarning: (message: string) => void,
): LocalBackend => {
  const environment = programEnvironment();
  const workRoot = usableWorkRoot(storage, onWarning);
  return new LocalBackend({
    workRoot,
    ...accountsOf(runAsOwnerOf, workRoot),
    maxRunning: config.maxRunning,
    memoryMiB: programMemoryMiB(config),
    environment,
    clock,
    onWarning,
    probe: {
      programs: commandNames(rules),
      ...(config.phenixDir !== undefined && { phenixFolder: config.phenixDir }),
      ...(config.openPhenixDir !== undefined && { openPhenixFolder: config.openPhenixDir }),
      // A relative entry of PATH would mean another folder for each program.
      searchFolders: (environment.PATH ?? '').split(delimiter).filter(isAbsolute),
      onWarning,
    },
  });
};

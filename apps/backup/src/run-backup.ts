import { isConfigError, loadConfig, RedisConfig, type Environment } from '@fleet/config';
import { errnoOf, isFault, releaseVersion } from '@fleet/contracts';
import { assertOpenRedis, assertPermittedRedis, connectStore, RedisBackup, redisNeeds } from '@fleet/session-store';
import { Command, CommanderError } from 'commander';
import { restore, save, verify } from './commands';

/** As phx ends: 2 for a wrong command line or setting, 3 for what was refused or differs, 5 where Redis or the disk fails. */
const exitCodes = { ok: 0, usage: 2, refused: 3, server: 5 } as const;

type Work = (backup: RedisBackup) => Promise<{ readonly lines: readonly string[]; readonly good: boolean }>;

/** Where it writes to. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What a command does with Redis. */
type Need = 'save' | 'restore' | 'verify';

const withRedis = async (need: Need, work: Work, env: Environment, out: Output['out']): Promise<number> => {
  const config = loadConfig(RedisConfig, env);
  const redis = connectStore(config);
  // Each call tells of it.
  redis.on('error', () => undefined);
  try {
    await assertOpenRedis(redis);
    await assertPermittedRedis(redis, config.keyPrefix, redisNeeds[need]);
    const { lines, good } = await work(new RedisBackup(redis, config.keyPrefix));
    out(`${lines.join('\n')}\n`);
    return good ? exitCodes.ok : exitCodes.refused;
  } finally {
    redis.disconnect();
  }
};

const codeOf = (error: unknown, err: Output['err']): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const message = error instanceof Error ? error.message : String(error);
  err(`backup: ${message}\n`);
  if (isConfigError(error)) return exitCodes.usage;
  if (isFault(error) && error.kind === 'caller')
    return error.code === 'store.misconfigured' ? exitCodes.usage : exitCodes.refused;
  return errnoOf(error) === 'ENOENT' ? exitCodes.usage : exitCodes.server;
};

/**
 * Runs the command.
 * @param args the command line behind the program's name
 * @param env the variables of its configuration
 * @returns its exit code
 */
export const runBackup = async (args: readonly string[], env: Environment, output: Output): Promise<number> => {
  let code: number = exitCodes.ok;
  const run = async (need: Need, work: Work): Promise<void> => {
    code = await withRedis(need, work, env, output.out);
  };
  try {
    await commandLine(run, output).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return codeOf(error, output.err);
  }
};

const commandLine = (run: (need: Need, work: Work) => Promise<void>, { out, err }: Output): Command => {
  const program = new Command('backup')
    .description(
      'Saves, restores and compares what an installation keeps in Redis. Reads REDIS_URL and REDIS_KEY_PREFIX as the services do.',
    )
    .version(releaseVersion)
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride();
  program
    .command('save')
    .summary('write a backup; services may run, their writes wait meanwhile')
    .argument('<file>', 'a new file')
    .action((file: string) => run('save', (backup) => save(backup, file)));
  program
    .command('restore')
    .summary('bring a backup back into an empty Redis; all services must be stopped')
    .argument('<file>', 'as save wrote it')
    .option('--replace', 'remove what this installation has in Redis before')
    .action((file: string, { replace = false }: { replace?: boolean }) =>
      run('restore', (backup) => restore(backup, file, replace)),
    );
  program
    .command('verify')
    .summary('compare a backup with Redis, key by key; services should be stopped')
    .argument('<file>', 'as save wrote it')
    .action((file: string) => run('verify', (backup) => verify(backup, file)));
  return program;
};

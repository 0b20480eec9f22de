import { createHash } from 'node:crypto';
import { Fault } from '@fleet/contracts';
import type { KeptKey, RedisBackup } from '@fleet/session-store';
import { checkBackup, readBackup, writeBackup } from './backup-file';

/** What a command says, and whether it went well. */
interface Told {
  readonly lines: readonly string[];
  readonly good: boolean;
}

const good = (...lines: readonly string[]): Told => ({ lines, good: true });

const isSession = ({ key }: Pick<KeptKey, 'key'>): boolean => key.startsWith('s:');

/** Passes keys on, and counts the sessions among them. */
class Counted {
  sessions = 0;

  constructor(private readonly kept: AsyncIterable<KeptKey>) {}

  async *keys(): AsyncGenerator<KeptKey> {
    for await (const one of this.kept) {
      if (isSession(one)) this.sessions += 1;
      yield one;
    }
  }
}

/** Writes all that the installation keeps in Redis into a file. */
export const save = async (backup: RedisBackup, path: string): Promise<Told> => {
  const start = performance.now();
  const counted = new Counted(backup.snapshot());
  const { keys, sha256 } = await writeBackup(path, counted.keys());
  const s = ((performance.now() - start) / 1000).toFixed(1);
  return good(
    `${path}: ${String(counted.sessions)} sessions, ${String(keys)} keys, SHA-256 ${sha256}`,
    `Writes to Redis waited for ${s} s. The file holds digests of keys, addresses of webhooks and all submissions: keep it from others.`,
  );
};

/**
 * Brings a backup back.
 * @param replace removes what the installation has in Redis before
 * @throws Fault `backup.not_empty` (caller), or what is wrong with the file; then nothing has changed
 */
export const restore = async (backup: RedisBackup, path: string, replace: boolean): Promise<Told> => {
  await checkBackup(path);
  const there = await backup.count();
  if (there > 0 && !replace)
    throw new Fault(
      'backup.not_empty',
      'caller',
      `Redis holds ${String(there)} keys of this installation. Stop all services, and use --replace if the backup is to take their place.`,
    );
  await backup.clear();
  const counted = new Counted(readBackup(path));
  const keys = await backup.restore(counted.keys());
  return good(
    `${String(counted.sessions)} sessions, ${String(keys)} keys restored. Start the services: sweepers wake what is under way.`,
  );
};

const textOf = ({ type, value }: Pick<KeptKey, 'type' | 'value'>): string =>
  createHash('sha256')
    .update(JSON.stringify([type, value]))
    .digest('base64');

const shownKeys = (what: string, keys: readonly string[]): readonly string[] =>
  keys.length === 0
    ? []
    : [`${what}: ${String(keys.length)} (${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ', …' : ''})`];

/** Compares each key of a backup with Redis. */
export const verify = async (backup: RedisBackup, path: string): Promise<Told> => {
  await checkBackup(path);
  const kept = new Map<string, string>();
  const now = Date.now();
  for await (const one of readBackup(path))
    if (one.endsAt === undefined || one.endsAt > now) kept.set(one.key, textOf(one));
  const { same, missing, extra, different } = await backup.compare(kept, textOf);
  const lines = [
    `${path} is whole. Of its ${String(kept.size)} keys ${String(same)} are the same in Redis.`,
    ...shownKeys('not in Redis', missing),
    ...shownKeys('in Redis alone', extra),
    ...shownKeys('different', different),
  ];
  return { lines, good: same === kept.size && extra.length === 0 };
};

import { connectStore, RedisStore, SessionArchiver } from '@fleet/session-store';
import { SessionArchiveFolder } from '@fleet/session-folder';

/** Archives what has ended, again and again, until it is killed. Arguments: the URL of Redis and the work root. */
const [, , url = '', workRoot = ''] = process.argv;

const archive = async (): Promise<void> => {
  const redis = connectStore({ url });
  redis.on('error', () => undefined);
  const store = new RedisStore(redis, 'fleet');
  const archiver = new SessionArchiver({
    archive: store.archive,
    folder: new SessionArchiveFolder(workRoot),
    retentionMs: 0,
    claimMs: 500,
    // Redis is killed meanwhile; the next look finds the session again.
    onError: () => undefined,
  });
  process.stdout.write('archiver is ready\n');
  for (;;) {
    const count = await archiver.look().catch(() => 0);
    if (count === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
void archive();

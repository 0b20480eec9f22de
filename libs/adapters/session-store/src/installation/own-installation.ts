import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@fleet/contracts';

/** What is needed of Redis. */
interface KeyValues {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, condition: 'NX'): Promise<unknown>;
}

/** What is needed of the file in the work root. */
interface IdPlace {
  readonly path: string;
  readonly workRoot: string;
  read(): Promise<string | undefined>;
  create(id: string): Promise<boolean>;
}

/** How long a service that may not write into the work root waits for one that may, in milliseconds. */
const timeoutMs = 30_000;
const pollMs = 500;

/**
 * A Redis and a work root belong together: each holds the id of the installation, made by whichever service starts first. Refuses a pair
 * whose ids differ, for two facilities would take each other's sessions. The work root's id counts: an emptied Redis gets it again.
 * Many services may do this at once.
 * @throws Fault `store.other_installation` (caller), with what to do; `storage.unwritable` (transient) where nobody made the id
 */
export const assertOwnInstallation = async (
  redis: KeyValues,
  key: string,
  file: IdPlace,
  waitMs = timeoutMs,
): Promise<void> => {
  // Redis first: an id there was in a file before. In the other order the file's absence might only be older than the id.
  const known = (await redis.get(key)) ?? undefined;
  const own = known === undefined ? await ensured(file, waitMs) : await file.read();
  if (own === undefined) throw refused(key, file, `the work root ${file.workRoot} has none (no file ${file.path})`);
  if (known === undefined) await redis.set(key, own, 'NX');
  const agreed = known ?? (await redis.get(key));
  if (agreed !== own)
    throw refused(key, file, `the work root ${file.workRoot} is of another one (${own}, in ${file.path})`);
};

/** The id in the work root, made where there is none. */
const ensured = async (file: IdPlace, waitMs: number): Promise<string> => {
  const until = performance.now() + waitMs;
  for (;;) {
    const found = await file.read();
    if (found !== undefined) return found;
    if (!(await file.create(randomUUID()))) await sleep(Math.min(pollMs, waitMs));
    if (performance.now() > until) {
      const found = await file.read();
      if (found !== undefined) return found;
      throw new Fault(
        'storage.unwritable',
        'transient',
        `${file.path} is missing, and this service may not write it: its work root is mounted read-only, or belongs to another user. ` +
          'Start a service that may write there first (the gateway or an executor).',
      );
    }
  }
};

const refused = (key: string, file: IdPlace, found: string): Fault =>
  new Fault(
    'store.other_installation',
    'caller',
    `the Redis of REDIS_URL holds the sessions of one installation (key ${key}), and ${found}. Two facilities on one Redis would ` +
      "take each other's sessions, so this service does not start. Check FLEET_WORK_ROOT and that its volume is mounted; give each " +
      'facility a Redis or a REDIS_KEY_PREFIX of its own. Only if this Redis does belong to this work root (one of the two was moved or ' +
      `restored), stop all services that use it, and confirm it by removing the key: redis-cli DEL '${key}'. The next start ` +
      `takes the id of ${file.path}, or makes a new one.`,
  );

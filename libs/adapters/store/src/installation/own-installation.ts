import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '@fleet/contracts/faults';
import { reachingStore, type Database } from '../database';

/** The file in the work root that holds the id of its installation. */
export interface InstallationFile {
  readonly path: string;
  readonly workRoot: string;
  /** Undefined if it is missing. */
  read(): Promise<string | undefined>;
  /** Creates it if it is missing. Returns false if this process has no write access. */
  create(id: string): Promise<boolean>;
}

/** How long a service without write access to the work root waits for one that has it, in milliseconds. */
const timeoutMs = 30_000;
const pollMs = 500;

const idOf = (db: Database): Promise<string | undefined> =>
  reachingStore(async () => (await db.selectFrom('installation').select('id').executeTakeFirst())?.id);

/**
 * A database and a work root belong together: each stores the id of the installation, created by the service that
 * starts first. Rejects a pair whose ids differ: otherwise two facilities would process each other's sessions. The work
 * root's id takes precedence: an empty database receives it. Many services may call it at once.
 * @throws Fault `store.other_installation` (caller), with what to do; `storage.unwritable` (transient) if no service
 *   created the id
 */
export const assertOwnInstallation = async (
  db: Database,
  file: InstallationFile,
  waitMs = timeoutMs,
): Promise<void> => {
  // The database first: its id existed in a file before. In the other order a missing file might only have been read
  // too early.
  const known = await idOf(db);
  const own = known === undefined ? await ensured(file, waitMs) : await file.read();
  if (own === undefined) throw refused(file, `the work root ${file.workRoot} has none (no file ${file.path})`);
  if (known === undefined)
    await reachingStore(() =>
      db
        .insertInto('installation')
        .values({ id: own })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  if ((known ?? (await idOf(db))) !== own)
    throw refused(file, `the work root ${file.workRoot} belongs to another one (${own}, in ${file.path})`);
};

/** The id in the work root, created if missing. */
const ensured = async (file: InstallationFile, waitMs: number): Promise<string> => {
  const until = performance.now() + waitMs;
  for (;;) {
    const found = await file.read();
    if (found !== undefined) return found;
    const isOver = performance.now() > until;
    if (await file.create(randomUUID())) continue;
    if (isOver)
      throw new Fault(
        'storage.unwritable',
        'transient',
        `${file.path} is missing, and this service may not write it: its work root is mounted read-only, or belongs to another user. ` +
          'Start a service that may write there first (the gateway or an executor).',
      );
    await pause(Math.min(pollMs, waitMs));
  }
};

const refused = (file: InstallationFile, found: string): Fault =>
  new Fault(
    'store.other_installation',
    'caller',
    `the database of DATABASE_URL holds the sessions of one installation (table installation), and ${found}. Two facilities in one ` +
      "database would take each other's sessions, so this service does not start. Check FLEET_WORK_ROOT and that its volume is mounted; " +
      'give each facility a database of its own. Only if this database does belong to this work root (one of the two was moved or ' +
      'restored), stop all services that use it, and confirm it by removing the id: psql "$DATABASE_URL" -c \'DELETE FROM installation\'. ' +
      `The next start takes the id of ${file.path}, or makes a new one.`,
  );

import { Fault } from '@fleet/contracts/faults';
import { reachingStore, type Database } from '../database';
import { databaseState, type DatabaseState } from './database-state';

/** Older ones lack features that the schema needs. */
export const oldestVersion = 15;

/** A setting that decides whether confirmed writes survive a crash of the server or its machine. */
export interface DurableSetting {
  readonly setting: 'fsync' | 'full_page_writes';
  readonly found: string;
  readonly why: string;
}

/** https://www.postgresql.org/docs/current/runtime-config-wal.html */
export const durableSettings = ({
  fsync,
  fullPageWrites,
}: Pick<DatabaseState, 'fsync' | 'fullPageWrites'>): readonly DurableSetting[] => [
  { setting: 'fsync', found: fsync, why: 'a power failure would leave a database that cannot be repaired' },
  { setting: 'full_page_writes', found: fullPageWrites, why: 'a power failure would leave pages half written' },
];

/** The command that corrects a setting. */
export const remedyOf = ({ setting }: DurableSetting): string =>
  `Fix it with: ALTER SYSTEM SET ${setting} = on; SELECT pg_reload_conf();`;

/** One sentence for each wrong setting. */
export const durabilityProblems = (state: Pick<DatabaseState, 'fsync' | 'fullPageWrites'>): readonly string[] =>
  durableSettings(state)
    .filter(({ found }) => found !== 'on')
    .map((one) => `${one.setting} is ${one.found}, it must be on: ${one.why}. ${remedyOf(one)}`);

/**
 * Rejects a server that is too old, or that may lose confirmed writes.
 * @throws Fault `store.misconfigured` (caller) for its version, `store.not_durable` (caller) that names each setting,
 *   why it matters and the command that fixes it; `store.unreachable` (transient)
 */
export const assertDurableDatabase = async (db: Database): Promise<void> => {
  const state = await reachingStore(() => databaseState(db));
  if (state.versionNumber < oldestVersion * 10_000)
    throw new Fault(
      'store.misconfigured',
      'caller',
      `PostgreSQL is version ${state.version}; it must be ${String(oldestVersion)} or later`,
    );
  const problems = durabilityProblems(state);
  if (problems.length > 0)
    throw new Fault('store.not_durable', 'caller', `this PostgreSQL may lose sessions. ${problems.join(' ')}`);
};

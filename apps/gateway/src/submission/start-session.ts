import { isFault, type Session, type SessionEvent, type SessionHead } from '@fleet/contracts';
import type { NewSession, PreparedSession, SessionRecords } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';

/** What sessions are started with. */
export interface StartRules {
  readonly records: SessionRecords;
  /** When the sweeper looks after a new session whose wake-up was lost. */
  readonly dueInMs: number;
  /** Puts the session's first step into its queue; failing is not a loss, for the sweeper does it later. */
  readonly wake: (head: SessionHead) => Promise<void>;
  /** Hears of a session that runs and whose `session.json` could not be written just now; its next step writes it. */
  readonly onUnkept: (sessionId: string, error: unknown) => void;
}

/** Writes what a session does not depend on. */
export const unlessUnkept = async (
  id: string,
  write: () => Promise<void>,
  { onUnkept }: Pick<StartRules, 'onUnkept'>,
): Promise<void> => {
  try {
    await write();
  } catch (error) {
    onUnkept(id, error);
  }
};

/** The record as `create` writes it. */
export const recordOf = ({ id, folder, request, guidance, createdAt, resume }: NewSession): Session => ({
  id,
  status: 'running',
  stage: 'deciding',
  cycle: 1,
  attempt: 1,
  version: 1,
  wakeUps: 0,
  folder,
  createdAt,
  updatedAt: createdAt,
  request,
  ...(guidance !== undefined && { guidance }),
  cycles: [],
  ...resume,
});

/**
 * Writes the record; what was prepared for it is taken back where there is none.
 * @throws ApiError `service.unavailable` where the records could not be asked: then nobody knows whether the session was made
 */
export const createPrepared = async (
  session: NewSession,
  events: readonly SessionEvent[],
  prepared: PreparedSession,
  rules: StartRules,
): Promise<'created' | 'exists'> => {
  let created: 'created' | 'exists' | undefined;
  try {
    created = await rules.records.create(session, events, rules.dueInMs);
    return created;
  } catch (error) {
    if (!isFault(error) || error.kind !== 'transient') throw error;
    throw new ApiError(
      'service.unavailable',
      `The session store cannot be reached. Whether session ${session.id} was started is unknown: look for it before you submit again, or submit with an Idempotency-Key, which makes repeating safe.`,
    );
  } finally {
    if (created !== 'created') await unlessUnkept(session.id, () => prepared.drop(), rules);
  }
};

/** From here on the session runs. Dying here leaves one that was promised to nobody; its first decision writes the file. */
export const runPrepared = async (record: Session, prepared: PreparedSession, rules: StartRules): Promise<Session> => {
  await unlessUnkept(record.id, () => prepared.publish(), rules);
  const session = (await rules.records.load(record.id)) ?? record;
  await rules.wake(session);
  return session;
};

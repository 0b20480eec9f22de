import { isFault, type Session, type SessionStatus } from '@fleet/contracts';
import { isoTime, type Clock, type NewSession, type SessionFolderPort, type SessionStore } from '@fleet/ports';

export interface RecoveryDependencies {
  readonly store: SessionStore;
  readonly folders: Pick<SessionFolderPort, 'listSessionFolders' | 'readSession'>;
  readonly clock: Clock;
}

export interface RecoveryReport {
  /** Written into the store; those that have not ended go on by themselves. */
  readonly recovered: readonly { readonly id: string; readonly status: SessionStatus; readonly cycle: number }[];
  /** Ids that the store has already: left alone, for the store is newer than the file. */
  readonly existing: readonly string[];
  /** Folders whose file cannot be used, and why. */
  readonly damaged: readonly { readonly folder: string; readonly reason: string }[];
}

/** When the sweeper looks after a recovered session; its wake-up is in the outbox already. */
const DUE_IN_MS = 30_000;

/** Files that are read at the same time: a work root may be slow, and may hold ten thousand sessions. */
const AT_ONCE = 16;

type Outcome =
  | { readonly recovered: RecoveryReport['recovered'][number] }
  | { readonly existing: string }
  | { readonly damaged: RecoveryReport['damaged'][number] };

/**
 * Rebuilds sessions from their `session.json` after Redis was lost. May be repeated: what is there is left alone.
 * A damaged file is reported and does not keep the others from being recovered.
 * @throws Fault transient, when the store or the work root cannot be reached; what was recovered until then stays.
 */
export const recoverSessions = async (deps: RecoveryDependencies): Promise<RecoveryReport> => {
  const folders = await deps.folders.listSessionFolders();
  const outcomes: Outcome[] = [];
  for (let from = 0; from < folders.length; from += AT_ONCE) {
    const some = folders.slice(from, from + AT_ONCE).map((folder) => recoverOne(deps, folder));
    outcomes.push(...(await Promise.all(some)));
  }
  return {
    recovered: outcomes.flatMap((outcome) => ('recovered' in outcome ? [outcome.recovered] : [])),
    existing: outcomes.flatMap((outcome) => ('existing' in outcome ? [outcome.existing] : [])),
    damaged: outcomes.flatMap((outcome) => ('damaged' in outcome ? [outcome.damaged] : [])),
  };
};

const recoverOne = async (deps: RecoveryDependencies, folder: string): Promise<Outcome> => {
  const session = await readOrReason(deps, folder);
  if (typeof session === 'string') return { damaged: { folder, reason: session } };
  const { id, status, cycle } = session;
  const event = {
    type: 'session_recovered',
    cycle,
    at: isoTime(deps.clock),
    message: `recovered from session.json at cycle ${String(cycle)}`,
    data: { status, stage: session.stage, writtenAt: session.updatedAt },
  } as const;
  const written = await deps.store.create(resumed(session), [event], DUE_IN_MS);
  return written === 'exists' ? { existing: id } : { recovered: { id, status, cycle } };
};

/** A transient fault is no damage of the file: it ends the recovery, which can be repeated. */
const readOrReason = async ({ folders }: RecoveryDependencies, folder: string): Promise<Session | string> => {
  try {
    return await folders.readSession(folder);
  } catch (error) {
    if (!isFault(error) || error.kind === 'transient') throw error;
    return error.message;
  }
};

const resumed = ({ id, folder, request, createdAt, ...session }: Session): NewSession => {
  const { status, stage, cycle, attempt, cycles, stop } = session;
  const resume = { status, stage, cycle, attempt, cycles };
  return { id, folder, request, createdAt, resume: stop === undefined ? resume : { ...resume, stop } };
};

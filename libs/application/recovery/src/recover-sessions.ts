import type { Recovered, RecoveryReport, Untrusted } from '@fleet/contracts/administration';
import { isFault, isTransient } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import {
  isoTime,
  type Authenticity,
  type Clock,
  type NewSession,
  type ReadSession,
  type SessionFolderPort,
  type SessionRecords,
} from '@fleet/ports';
import { stepDueMs } from '@fleet/steps';

export interface RecoveryDependencies {
  readonly records: SessionRecords;
  readonly folders: Pick<SessionFolderPort, 'listSessionFolders' | 'readSession'>;
  readonly clock: Clock;
  /** Whether a session of this id was deleted for good; absent: none was. */
  readonly wasRemoved?: (id: string) => Promise<boolean>;
  /** What somebody has confirmed about files that cannot be authenticated; absent: nothing. */
  readonly trust?: Trust;
}

/** Which files count although nothing shows that this installation wrote them, and who says so. */
export interface Trust {
  /** Session id to digest: that very content, as the report named it. */
  readonly digests: Readonly<Record<string, string>>;
  /** As they call themselves. */
  readonly by: string;
}

/** Files that are read at the same time: a work root may be slow, and may hold ten thousand sessions; a file may be large. */
const AT_ONCE = 4;
/** Entries of each list of what was left out: a folder may hold a hundred thousand odd ones. */
const maxListed = 5_000;
/** Characters of a reason: it may quote what a file holds. */
const longestReason = 2_000;

type Outcome =
  | { readonly recovered: Recovered }
  | { readonly existing: string }
  | { readonly untrusted: Untrusted }
  | { readonly skipped: RecoveryReport['skipped'][number] };

/** Why a file is not treated as what this installation wrote. */
const reasons: Readonly<Record<Exclude<Authenticity, 'authentic'>, string>> = {
  unsigned:
    'it has no signature: it was written by an older release, by an installation without a key, or by someone else',
  unknown_key: 'it is signed with a key that this installation does not have',
  altered: 'its signature does not match: it was changed after this installation wrote it',
  no_key: 'this installation has no key (FLEET_INSTALLATION_KEY_FILE), so nothing can be authenticated',
};

/**
 * Rebuilds sessions from their `session.json` after the database was lost. May be repeated: what is there is left alone.
 * A file that cannot be used is reported and does not keep the others from being recovered; one that nothing shows to be this
 * installation's own is recovered only where `trust` names its content.
 * @throws Fault transient, when the store or the work root cannot be reached; what was recovered until then stays.
 */
export const recoverSessions = async (deps: RecoveryDependencies): Promise<RecoveryReport> => {
  const folders = await deps.folders.listSessionFolders();
  const outcomes: Outcome[] = [];
  for (let from = 0; from < folders.length; from += AT_ONCE) {
    const some = folders.slice(from, from + AT_ONCE).map((folder) => recoverOne(deps, folder));
    outcomes.push(...(await Promise.all(some)));
  }
  const untrusted = outcomes.flatMap((outcome) => ('untrusted' in outcome ? [outcome.untrusted] : []));
  const skipped = outcomes.flatMap((outcome) => ('skipped' in outcome ? [outcome.skipped] : []));
  return {
    recovered: outcomes.flatMap((outcome) => ('recovered' in outcome ? [outcome.recovered] : [])),
    existing: outcomes.flatMap((outcome) => ('existing' in outcome ? [outcome.existing] : [])),
    untrusted: untrusted.slice(0, maxListed),
    skipped: skipped.slice(0, maxListed),
    notListed: Math.max(0, untrusted.length - maxListed) + Math.max(0, skipped.length - maxListed),
  };
};

/** A folder that has come back without its session. */
const isOfRemoved = async ({ wasRemoved, records }: RecoveryDependencies, id: string): Promise<boolean> =>
  (await wasRemoved?.(id)) === true && (await records.loadHead(id)) === undefined;

const recoverOne = async (deps: RecoveryDependencies, folder: string): Promise<Outcome> => {
  const read = await readOrReason(deps, folder);
  if ('reason' in read) return { skipped: { folder, ...read } };
  const { session, authenticity, digest } = read;
  const { id, status, cycle, request } = session;
  if (await isOfRemoved(deps, id))
    return { skipped: { folder, code: 'session.deleted', reason: 'the session was deleted; its folder came back' } };
  if (authenticity === 'authentic') return restore(deps, read);
  // A session that is there is left alone whatever its file says; so an upgrade does not ask for trust in all of them.
  if ((await deps.records.loadHead(id)) !== undefined) return { existing: id };
  if (Object.hasOwn(deps.trust?.digests ?? {}, id) && deps.trust?.digests[id] === digest) return restore(deps, read);
  const title = request.title;
  return { untrusted: { id, status, cycle, folder, title, reason: reasons[authenticity], digest } };
};

const restore = async ({ records, clock, trust }: RecoveryDependencies, read: ReadSession): Promise<Outcome> => {
  const { session, authenticity, missingFiles } = read;
  const { id, status, cycle } = session;
  const told =
    authenticity === 'authentic'
      ? { words: '', data: {} }
      : {
          words: `, which was not authenticated (${reasons[authenticity]}) and is trusted by ${trust?.by ?? ''}`,
          data: { notAuthenticated: authenticity, trustedBy: trust?.by ?? '' },
        };
  const missing = missingFiles.length === 0 ? '' : `; ${String(missingFiles.length)} of its files are missing`;
  const event = {
    type: 'session_recovered',
    cycle,
    at: isoTime(clock),
    message: `recovered from session.json at cycle ${String(cycle)}${told.words}${missing}`,
    data: {
      status,
      stage: session.stage,
      writtenAt: session.updatedAt,
      ...told.data,
      ...(missing !== '' && { missingFiles }),
    },
  } as const;
  const written = await records.create(resumed(session), [event], stepDueMs);
  if (written === 'exists') return { existing: id };
  return { recovered: { id, status, cycle, trusted: authenticity !== 'authentic', missingFiles } };
};

/** A transient fault is not a verdict on the file: it ends the recovery, which can be repeated. */
const readOrReason = async (
  { folders }: RecoveryDependencies,
  folder: string,
): Promise<ReadSession | { readonly code: string; readonly reason: string }> => {
  try {
    return await folders.readSession(folder);
  } catch (error) {
    if (!isFault(error) || isTransient(error)) throw error;
    return { code: error.code, reason: error.message.slice(0, longestReason) };
  }
};

const resumed = (record: Session): NewSession => {
  const { id, folder, request, guidance, createdAt, status, stage, cycle, attempt, cycles, stop } = record;
  const resume = { status, stage, cycle, attempt, cycles, ...(stop && { stop }) };
  return { id, folder, request, createdAt, ...(guidance && { guidance }), resume };
};

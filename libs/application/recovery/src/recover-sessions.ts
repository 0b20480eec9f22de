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
  /** Whether a session of this id was permanently deleted; absent: none was. */
  readonly wasRemoved?: (id: string) => Promise<boolean>;
  /** The administrator's confirmation of files that cannot be authenticated; absent: none. */
  readonly trust?: Trust;
}

/** Files that are accepted without authentication, and who confirmed them. */
export interface Trust {
  /** Session id to digest: exactly the content that the report named. */
  readonly digests: Readonly<Record<string, string>>;
  /** Name of the confirming administrator. */
  readonly by: string;
}

/** Files that are read concurrently: a work root may be slow, and may contain ten thousand sessions; a file may be large. */
const AT_ONCE = 4;
/** Maximum length of each list in the report: a folder may contain a hundred thousand invalid ones. */
const maxListed = 5_000;
/** Maximum length of a reason: it may quote a file's content. */
const longestReason = 2_000;

type Outcome =
  | { readonly recovered: Recovered }
  | { readonly existing: string }
  | { readonly untrusted: Untrusted }
  | { readonly skipped: RecoveryReport['skipped'][number] };

/** Why a file is not accepted as written by this installation. */
const reasons: Readonly<Record<Exclude<Authenticity, 'authentic'>, string>> = {
  unsigned:
    'it has no signature: it was written by an older release, by an installation without a key, or by someone else',
  unknown_key: 'it is signed with an unknown key',
  altered: 'its signature does not match: it was changed after this installation wrote it',
  no_key: 'this installation has no key (FLEET_INSTALLATION_KEY_FILE), so nothing can be authenticated',
};

/**
 * Rebuilds sessions from their `session.json` after the database was lost. May be repeated: existing sessions do not change. An unusable file
 * is reported and does not block the recovery of the others; an unauthenticated one is recovered only if `trust` names its content.
 * @throws Fault transient, when the store or the work root cannot be reached; sessions recovered until then stay.
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

/** A restored folder of a deleted session. */
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
  // An existing session does not change, whatever its file contains; so an upgrade needs no confirmations.
  if ((await deps.records.loadHead(id)) !== undefined) return { existing: id };
  if (Object.hasOwn(deps.trust?.digests ?? {}, id) && deps.trust?.digests[id] === digest) return restore(deps, read);
  const title = request.title;
  return { untrusted: { id, status, cycle, folder, title, reason: reasons[authenticity], digest } };
};

const restore = async ({ records, clock, trust }: RecoveryDependencies, read: ReadSession): Promise<Outcome> => {
  const { session, authenticity, missingFiles } = read;
  const { id, status, cycle } = session;
  const trustNote =
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
    message: `recovered from session.json at cycle ${String(cycle)}${trustNote.words}${missing}`,
    data: {
      status,
      stage: session.stage,
      writtenAt: session.updatedAt,
      ...trustNote.data,
      ...(missing !== '' && { missingFiles }),
    },
  } as const;
  const written = await records.create(resumed(session), [event], stepDueMs);
  if (written === 'exists') return { existing: id };
  return { recovered: { id, status, cycle, trusted: authenticity !== 'authentic', missingFiles } };
};

/** A transient fault says nothing about the file: it ends the recovery, which can be repeated. */
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

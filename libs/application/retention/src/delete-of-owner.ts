import { failureText } from '@fleet/contracts/faults';
import { mostPurged, type DeletionReport } from '@fleet/contracts/retention';
import type { DataOwner, RetainedSession, UploadFiles } from '@fleet/ports';
import { finishPurge } from './purge-session';
import type { RetentionDependencies } from './retention-dependencies';

/** Milliseconds after its end in which a worker may still write the files of a session. */
const settledMs = 60_000;

/** A deletion on request. */
export interface OrderedDeletion {
  readonly owner: DataOwner;
  /** The reason and the requester. */
  readonly rule: string;
  readonly dryRun: boolean;
  readonly after?: string;
}

/** Dependencies of a deletion of an owner's data. */
export interface DeletionDependencies extends RetentionDependencies {
  /** Absent: uploads are off. */
  readonly uploads?: Pick<UploadFiles, 'remove' | 'removeOf'> | undefined;
}

type Outcome = { readonly bytes: number } | { readonly refused: DeletionReport['refused'][number] };

const deleteOne = async (
  deps: DeletionDependencies,
  { session, endedAt }: RetainedSession,
  { rule, dryRun }: OrderedDeletion,
): Promise<Outcome> => {
  const refused = (reason: string): Outcome => ({ refused: { id: session.id, reason } });
  if (endedAt === undefined) return refused('it has not ended: cancel it first');
  if (endedAt > deps.clock.now() - settledMs) return refused('it has just ended: try again in a minute');
  try {
    if (dryRun) return { bytes: await deps.folders.bytesOf(session) };
    if (await deps.records.begin(session.id, { rule, record: true }, true))
      return { bytes: await finishPurge(deps, { session, rule, record: true }) };
    return refused('a running session uses its files, or it is being deleted');
  } catch (error) {
    return refused(failureText(error));
  }
};

type Refused = DeletionReport['refused'];

/** Uploads whose sender or proposal is known, and all files of a proposal; running sessions may need them. */
const deleteUploads = async (
  { records, uploads }: DeletionDependencies,
  { owner, dryRun }: OrderedDeletion,
): Promise<number | Refused> => {
  if (uploads === undefined) return 0;
  if (await records.isRunning(owner)) {
    const id = 'proposal' in owner ? owner.proposal : owner.submitter;
    return [{ id, reason: 'uploads stay as long as sessions run' }];
  }
  const known = await records.uploadsOf(owner);
  if (!dryRun)
    for (const upload of known) {
      await uploads.remove(upload);
      await records.forgetUpload(upload.id);
    }
  if ('submitter' in owner) return known.length;
  const whole = known.filter(({ state }) => state === 'complete').length;
  const files = await uploads.removeOf(owner.proposal, dryRun);
  return known.length + (dryRun ? files - whole : files);
};

/**
 * Deletes the data of a proposal or a person, a page of sessions at a time; with the last page also batches, uploads and statistics of
 * sessions that retention has deleted. Running sessions stay, and are listed. Pins and rules do not count. May be repeated.
 * @throws Fault transient if the store or the disk cannot be reached; earlier deletions stay
 */
export const deleteOfOwner = async (deps: DeletionDependencies, ordered: OrderedDeletion): Promise<DeletionReport> => {
  const { owner, dryRun, after } = ordered;
  const { sessions, nextCursor } = await deps.records.ofOwner(owner, mostPurged, after);
  const outcomes: Outcome[] = [];
  for (const one of sessions) outcomes.push(await deleteOne(deps, one, ordered));
  const deleted = outcomes.flatMap((outcome) => ('bytes' in outcome ? [outcome.bytes] : []));
  const isLast = nextCursor === undefined;
  const batches = isLast ? await deps.records.removeBatches(owner, dryRun) : { removed: 0, running: [] };
  if (isLast && !dryRun) await deps.records.removeStatistics(owner);
  const uploads = isLast ? await deleteUploads(deps, ordered) : 0;
  return {
    sessions: deleted.length,
    bytes: deleted.reduce((sum, bytes) => sum + bytes, 0),
    batches: batches.removed,
    uploads: typeof uploads === 'number' ? uploads : 0,
    refused: [
      ...outcomes.flatMap((outcome) => ('refused' in outcome ? [outcome.refused] : [])),
      ...batches.running.map((id) => ({ id, reason: 'this batch has unfinished rows or sessions' })),
      ...(typeof uploads === 'number' ? [] : uploads),
    ],
    ...(nextCursor !== undefined && { nextCursor }),
  };
};

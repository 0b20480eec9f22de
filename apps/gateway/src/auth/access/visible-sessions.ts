import { Inject, Injectable, Logger } from '@nestjs/common';
import { isWithinReach, reachOf } from '@fleet/access';
import { findBatch, noBatch } from '@fleet/batches';
import type { Principal } from '@fleet/contracts/access';
import type { BatchState } from '@fleet/contracts/batches';
import { failureText } from '@fleet/contracts/faults';
import type { Session, SessionPage, SessionRow, SimilarSession } from '@fleet/contracts/sessions';
import type { Upload } from '@fleet/contracts/uploads';
import type { Webhook } from '@fleet/contracts/webhooks';
import {
  BATCH_RECORDS,
  SESSION_INDEX,
  timeCursor,
  UPLOAD_STORE,
  WEBHOOKS,
  type BatchesPage,
  type BatchRecords,
  type SessionIndex,
  type UploadStore,
  type Webhooks,
} from '@fleet/ports';
import { rowOfName, similarSessions } from '@fleet/sessions';
import { findUpload, noUpload } from '@fleet/uploads';
import { ApiError } from '../../http/errors/problem-details';
import type { ListQuery } from '../../http/read-list-query';

/** A page of a list by time. */
interface Page<T> {
  readonly entries: readonly T[];
  readonly nextCursor?: string | undefined;
}

/** Merges pages of several lists, all read from the same cursor, and removes duplicates. */
const merged = <T>(
  pages: readonly Page<T>[],
  limit: number,
  cursorOfEntry: (entry: T) => string,
): { readonly entries: readonly T[]; readonly next: { readonly nextCursor?: string } } => {
  const all = new Map(pages.flatMap(({ entries }) => entries.map((entry) => [cursorOfEntry(entry), entry] as const)));
  const ordered = [...all].sort(([one], [other]) => (one < other ? 1 : -1));
  const shown = ordered.slice(0, limit);
  const [last] = shown.at(-1) ?? [];
  const hasMore = ordered.length > limit || pages.some(({ nextCursor }) => nextCursor !== undefined);
  return { entries: shown.map(([, entry]) => entry), next: hasMore && last !== undefined ? { nextCursor: last } : {} };
};

/** Maximum similar sessions in one response. */
const similarShown = 5;

/** The sessions, batches, webhooks and uploads that a principal can see: others look missing. */
@Injectable()
export class VisibleSessions {
  private readonly logger = new Logger(VisibleSessions.name);

  constructor(
    @Inject(SESSION_INDEX) private readonly index: SessionIndex,
    @Inject(BATCH_RECORDS) private readonly batches: BatchRecords,
    @Inject(WEBHOOKS) private readonly webhooks: Pick<Webhooks, 'find'>,
    @Inject(UPLOAD_STORE) private readonly uploads: Pick<UploadStore, 'find'>,
  ) {}

  /** Like `SessionIndex.list`, limited to visible sessions. */
  list(principal: Principal, { filter, order, limit, cursor }: ListQuery): Promise<SessionPage> {
    const reach = reachOf(principal);
    return this.index.list(reach === 'all' ? filter : { ...filter, within: reach }, limit, cursor, order);
  }

  /** Like `BatchRecords.list`. A batch belongs to a proposal; its rows may belong to any beamline. */
  async listBatches(
    principal: Principal,
    filter: { readonly proposal?: string },
    limit: number,
    cursor?: string,
  ): Promise<BatchesPage> {
    const reach = reachOf(principal);
    if (reach === 'all') return this.batches.list(filter, limit, cursor);
    const proposals = reach
      .flatMap((one) => ('proposal' in one ? [one.proposal] : []))
      .filter((proposal) => filter.proposal === undefined || filter.proposal === proposal);
    const pages = await Promise.all(proposals.map((proposal) => this.batches.list({ proposal }, limit, cursor)));
    const lists = pages.map(({ batches, nextCursor }) => ({ entries: batches, nextCursor }));
    const { entries, next } = merged(lists, limit, ({ batch }) => timeCursor(batch));
    return { batches: entries, ...next };
  }

  /**
   * The session with this id, beginning of an id, or title.
   * @throws ApiError `session.not_found`, or `session.ambiguous` with the visible ones
   */
  rowOf(principal: Principal, name: string): Promise<SessionRow> {
    return rowOfName(this.index, name, (row) => isWithinReach(principal, row));
  }

  /**
   * The first few sessions with the same data as a submitted one. Empty if the query fails: the submission does not
   * depend on it.
   */
  async similarTo(principal: Principal, session: Session): Promise<readonly SimilarSession[]> {
    try {
      return (await similarSessions(session, this.index, principal)).slice(0, similarShown);
    } catch (error) {
      const message = 'sessions with the same data as a submission cannot be determined';
      this.logger.warn({ message, sessionId: session.id, reason: failureText(error) });
      return [];
    }
  }

  /** @throws ApiError `batch.not_found` */
  async batchOf(principal: Principal, id: string): Promise<BatchState> {
    const state = await findBatch(this.batches, id);
    if (!isWithinReach(principal, { proposal: state.batch.proposal, beamline: '' })) throw noBatch(id);
    return state;
  }

  /** @throws ApiError `webhook.not_found` */
  async webhookOf(principal: Principal, id: string): Promise<Webhook> {
    const webhook = /^[0-9a-f]{16}$/.test(id) ? await this.webhooks.find(id) : undefined;
    if (webhook !== undefined && isWithinReach(principal, webhook)) return webhook;
    throw new ApiError('webhook.not_found', `Unknown webhook ${JSON.stringify(id.slice(0, 64))}.`);
  }
  /** @throws ApiError `upload.not_found` */
  async uploadOf(principal: Principal, id: string): Promise<Upload> {
    const upload = await findUpload(this.uploads, id);
    if (isWithinReach(principal, { proposal: upload.proposal, beamline: '' })) return upload;
    throw noUpload(id);
  }
}

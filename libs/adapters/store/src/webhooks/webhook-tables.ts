import type { Generated } from 'kysely';
import type { NoticeKind, Webhook, WebhookSubject } from '@fleet/contracts/webhooks';
import type { DeliveryContent } from '@fleet/ports';
import type { Json } from '../json-column';

interface WebhooksTable {
  id: string;
  subject_kind: WebhookSubject;
  subject: string;
  kinds: readonly NoticeKind[];
  created_at: Date;
  webhook: Json<Webhook>;
  removed_at: Date | null;
  removed_by: string | null;
  delivered: Generated<number>;
  lost: Generated<number>;
  failing: Generated<number>;
  last_delivered_at: Date | null;
  last_failed_at: Date | null;
  last_failure: string | null;
  held_until: Date | null;
  busy_until: Date | null;
  gathered_until: Date | null;
}

interface NoticesTable {
  number: Generated<string>;
  webhook: string;
  subject: string;
  id: string;
  notice: Json<DeliveryContent>;
  died_at: Date | null;
  attempts: number | null;
  why: string | null;
}

/** Webhooks and their queues. */
export interface WebhookTables {
  webhooks: WebhooksTable;
  notices: NoticesTable;
  notice_queues: { webhook: string; subject: string; due_at: Date; attempts: Generated<number> };
  batch_ends: { number: Generated<string>; batch: string };
}

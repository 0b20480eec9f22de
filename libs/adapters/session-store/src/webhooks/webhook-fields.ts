import {
  Fault,
  isDescribed,
  noticeSchema,
  webhookSchema,
  type DeadNotice,
  type DeliveryState,
  type Webhook,
} from '@fleet/contracts';
import type { ToldNotice } from '@fleet/ports';

/** The oldest first. */
export const byAge = (one: Webhook, other: Webhook): number =>
  `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1;

/** Undefined for what is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/**
 * A webhook from what is stored of it. What cannot be read is told nothing.
 * @throws Fault `webhook.damaged` (bug)
 */
export const webhookFrom = (id: string, text: string): Webhook => {
  const stored = parsed(text);
  if (isDescribed(webhookSchema, stored) && stored.id === id) return stored;
  throw new Fault('webhook.damaged', 'bug', `what is stored of the webhook ${id} is damaged`);
};

const textOf = (labels: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(labels, name);
  return typeof value === 'string' ? value : undefined;
};

/** `<id> <notice as JSON>`, a line end, and what is known of the subject as JSON. */
const toldForm = /^(\S+) (.*)\n(.*)$/;

const readTold = (noticeText: string, labelsText: string): ToldNotice | undefined => {
  const [notice, labels] = [parsed(noticeText), parsed(labelsText)];
  if (!isDescribed(noticeSchema, notice) || typeof labels !== 'object' || labels === null) return undefined;
  const [title = '', proposal = '', beamline, batch] = ['title', 'proposal', 'beamline', 'batch'].map((name) =>
    textOf(labels, name),
  );
  return { notice, title, proposal, beamline, batch };
};

/** What waits for a webhook; `told` is undefined where it cannot be read. */
export const toldFrom = (text: string): { readonly id: string; readonly told: ToldNotice | undefined } => {
  const [, , noticeText = '', labelsText = ''] = toldForm.exec(text) ?? [];
  const [id = ''] = text.split(/\s/, 1);
  return { id, told: readTold(noticeText, labelsText) };
};

/** A dead notice; one that cannot be read is shown by its id, so that it can be seen. */
export const deadFrom = (id: string, text: string): DeadNotice => {
  const stored = parsed(text);
  const dead = typeof stored === 'object' && stored !== null ? stored : {};
  const { told } = toldFrom(textOf(dead, 'text') ?? '');
  return {
    id,
    of: textOf(dead, 'of') ?? '',
    attempts: Number(textOf(dead, 'attempts') ?? 0),
    diedAt: textOf(dead, 'diedAt') ?? '',
    why: textOf(dead, 'why') ?? '',
    ...(told !== undefined && { kind: told.notice.kind, at: told.notice.at }),
  };
};

/** Fields of a webhook's own hash from which its state is made, in the order in which `deliveryStateFrom` takes them. */
export const deliveryFields = [
  'waiting',
  'delivered',
  'lost',
  'failing',
  'lastDeliveredAt',
  'lastFailedAt',
  'lastFailure',
] as const;

/** @param dead how many notices are */
export const deliveryStateFrom = (
  [waiting, delivered, lost, failing, lastDeliveredAt, lastFailedAt, lastFailure]: readonly (string | null)[],
  dead: number,
): DeliveryState => ({
  waiting: Number(waiting ?? 0),
  delivered: Number(delivered ?? 0),
  dead,
  lost: Number(lost ?? 0),
  failing: Number(failing ?? 0),
  ...(typeof lastDeliveredAt === 'string' && { lastDeliveredAt }),
  ...(typeof lastFailedAt === 'string' && { lastFailedAt }),
  ...(typeof lastFailure === 'string' && { lastFailure }),
});

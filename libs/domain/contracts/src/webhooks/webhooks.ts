import { sessionFitSchema } from '../sessions/cycle';
import { choice, closed, flag, integer, list, record, text, type Described } from '../schema/schema';
import { count, folderName, folderNameAllowed, time } from '../schema/schema-fields';
import { sessionOutcomes, sessionStatuses, stopReasons } from '../sessions/session';

/**
 * Notifications about sessions and batches. Wire names:
 * - `session.ended`: with its outcome; again after each resume;
 * - `session.cycle_done`: a program has run and its log was analysed;
 * - `session.needs_attention`: it ended in a way that needs action, or cannot fulfil its requests;
 * - `session.recovered`: its record was rebuilt after the database was lost; earlier undelivered notifications are lost;
 * - `session.files_expire`: its files are deleted in a week, by the retention rules (docs/retention.md);
 * - `batch.ended`: every row has been processed, and every session has ended; again after rows are run again.
 */
export const noticeKinds = [
  'session.ended',
  'session.cycle_done',
  'session.needs_attention',
  'session.recovered',
  'session.files_expire',
  'batch.ended',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Kinds for batches; the others are for sessions. */
export const batchNoticeKinds: readonly NoticeKind[] = ['batch.ended'];

/** Default kinds of a webhook. */
export const usualNoticeKinds: readonly NoticeKind[] = [
  'session.ended',
  'session.recovered',
  'session.files_expire',
  'batch.ended',
];

/** The subject of a webhook: it is notified of the sessions that belong to it. */
export const webhookSubjects = ['session', 'batch', 'proposal'] as const;
export type WebhookSubject = (typeof webhookSubjects)[number];

/** Default collection time of e-mail for a batch or a proposal, in minutes. */
export const usualEveryMinutes = 10;

const kinds = (what: string) =>
  list(choice(noticeKinds), what, { minItems: 1, maxItems: noticeKinds.length, 'x-allowed': noticeKinds.join(', ') });

const webhookMembers = {
  id: text('identifier of the webhook; not secret', {
    pattern: '^[0-9a-f]{16}$',
    'x-allowed': '16 hexadecimal digits',
  }),
  url: text('destination of notifications: a URL, or `mailto:` with an e-mail address', { maxLength: 2000 }),
  about: record(
    { what: choice(webhookSubjects), name: text('id of the session or batch, or name of the proposal') },
    {},
    'scope of the webhook',
  ),
  kinds: kinds('event types'),
  label: text('purpose of the webhook', { maxLength: 200 }),
  proposal: text('its proposal'),
  beamline: text('submitter of its session; empty: none'),
  owner: text('creator; empty: access control was off'),
  createdAt: time(),
} as const;

/** Minutes for which e-mail is collected: a day at most. */
const everyMinutes = (what: string) => integer(what, { minimum: 0, maximum: 1440 });
const mailMembers = {
  everyMinutes: everyMinutes('minutes over which notifications are collected into one e-mail; 0: send immediately'),
} as const;

/** A stored webhook, without its secret, which is derived from a key of the installation. */
export const webhookSchema = record(
  {
    ...webhookMembers,
    secretKey: text('the key of the installation that its secret is made from', {
      pattern: '^[0-9a-f]{8}$',
      'x-allowed': '8 hexadecimal digits',
    }),
  },
  mailMembers,
  'an endpoint that is notified of sessions and batches',
);
export type Webhook = Described<typeof webhookSchema>;

/** Who removed a webhook, and when. */
export interface WebhookRemoval {
  readonly removedAt: string;
  readonly removedBy: string;
}

/** The delivery state of a webhook; lost with the database. */
const deliveryStateSchema = record(
  'DeliveryState',
  {
    waiting: count('notifications to deliver'),
    delivered: count('delivered notifications'),
    dead: count('dead notifications: no longer retried, can be replayed'),
    lost: count('notifications dropped because too many are pending or dead'),
    failing: count('consecutive failed attempts'),
  },
  {
    lastDeliveredAt: time(),
    lastFailedAt: time(),
    lastFailure: text('why the last failed attempt failed'),
  },
);
export type DeliveryState = Described<typeof deliveryStateSchema>;

export const webhookViewSchema = record(
  'Webhook',
  { ...webhookMembers, deliveries: deliveryStateSchema },
  mailMembers,
  'a webhook and the state of its deliveries',
);
export type WebhookView = Described<typeof webhookViewSchema>;

export const webhooksViewSchema = record('Webhooks', { webhooks: list(webhookViewSchema) });
export type WebhooksView = Described<typeof webhooksViewSchema>;

export const newWebhookSchema = record(
  'NewWebhook',
  {
    secret: text('signing secret: shown only once; empty for e-mail, which is not signed'),
    webhook: webhookViewSchema,
  },
  {},
  'a new webhook',
);
export type NewWebhook = Described<typeof newWebhookSchema>;

/** The request for a new webhook. Exactly one of session, batch and proposal. */
export const webhookRequestSchema = closed(
  record(
    'WebhookRequest',
    {
      url: text('destination: an https URL or mailto:ADDRESS that the installation allows', {
        maxLength: 2000,
        'x-allowed': 'an http, https or mailto address of at most 2000 characters',
      }),
    },
    {
      session: text('id or title of a session', { maxLength: 200 }),
      batch: text('id of a batch', { maxLength: 64 }),
      proposal: text('a proposal, with all its sessions and batches', {
        maxLength: 64,
        pattern: `^${folderName}$`,
        'x-allowed': folderNameAllowed,
      }),
      kinds: kinds(`event types; default: ${usualNoticeKinds.join(', ')}`),
      everyMinutes: everyMinutes(
        `for e-mail: minutes over which notifications are collected; 0: send immediately; default: 0 for a session, otherwise ${String(usualEveryMinutes)}`,
      ),
      label: text('purpose of the webhook', {
        default: '',
        maxLength: 200,
        pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
        'x-allowed': 'one line of text, at most 200 characters',
      }),
    },
  ),
);
export type WebhookRequest = Described<typeof webhookRequestSchema>;

/** A pending notice; derived data are added when it is sent. */
export const noticeSchema = record(
  { kind: choice(noticeKinds), at: time() },
  {
    cycle: count(),
    outcome: choice(sessionOutcomes),
    reason: choice(stopReasons),
    fit: sessionFitSchema,
    status: choice(sessionStatuses),
    program: text(),
    result: choice(['success', 'failed']),
    outcomes: record({}, Object.fromEntries(sessionOutcomes.map((word) => [word, count()]))),
    rejected: count(),
    until: time(),
  },
);
export type Notice = Described<typeof noticeSchema>;

/** The session or batch in a message. */
const toldOfSchema = record(
  { id: text(), title: text(), proposal: text() },
  { beamline: text(), batch: text("id of the session's batch") },
);

/** The body of a webhook's message (docs/notifications.md). */
export const webhookMessageSchema = record(
  'WebhookMessage',
  {
    type: choice([...noticeKinds, 'webhook.test']),
    timestamp: time('time of the event'),
    data: record(
      { sentence: text('event type'), next: text('what to do') },
      {
        session: toldOfSchema,
        batch: toldOfSchema,
        cycle: count('cycle number; 0: before the first'),
        outcome: choice(sessionOutcomes, 'the outcome of the session (docs/outcomes.md)'),
        reason: choice(stopReasons, 'why it ended (docs/stop-reasons.md)'),
        fit: sessionFitSchema,
        status: choice(sessionStatuses),
        program: text('program of the cycle'),
        result: choice(['success', 'failed'], 'outcome of the cycle'),
        outcomes: record(
          {},
          Object.fromEntries(sessionOutcomes.map((word) => [word, count()])),
          'sessions of the batch by outcome',
        ),
        rejected: count('rejected rows of the batch'),
        until: time('earliest deletion of the files'),
        links: record({ self: text() }, { results: text() }, 'URLs of the gateway'),
      },
    ),
  },
  {},
  'a webhook message',
);
export type WebhookMessage = Described<typeof webhookMessageSchema>;

export const webhookTestSchema = record(
  'WebhookTest',
  { delivered: flag('whether the target accepted it'), tookMs: count(), message: webhookMessageSchema },
  { status: count('HTTP status of the target'), why: text('why the delivery failed') },
  'result of a test message',
);
export type WebhookTest = Described<typeof webhookTestSchema>;

const noticeId = text('webhook-id of the message', {
  pattern: '^[0-9a-z.-]{1,100}$',
  'x-allowed': 'the id of a dead notice, as phx webhooks dead shows it',
});

const deadNoticeSchema = record(
  'DeadNotice',
  {
    id: noticeId,
    of: text('id of the session or batch'),
    attempts: count(),
    diedAt: time(),
    why: text('why the last attempt failed'),
  },
  { kind: choice(noticeKinds), at: time('time of the event') },
  'a dead notification: no longer retried',
);
export type DeadNotice = Described<typeof deadNoticeSchema>;
export const deadNoticesSchema = record('DeadNotices', { dead: list(deadNoticeSchema) });
export type DeadNotices = Described<typeof deadNoticesSchema>;

export const replayRequestSchema = closed(
  record('ReplayRequest', {}, { notices: list(noticeId, 'which; absent: all', { minItems: 1, maxItems: 1000 }) }),
);
export const replayedSchema = record('Replayed', { replayed: count('number of notifications that are pending again') });
export type Replayed = Described<typeof replayedSchema>;

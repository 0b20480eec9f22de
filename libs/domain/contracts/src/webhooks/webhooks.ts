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
  id: text('tells webhooks apart; no secret', { pattern: '^[0-9a-f]{16}$', 'x-allowed': '16 hexadecimal digits' }),
  url: text('where notices are delivered; `mailto:` and an address: by e-mail', { maxLength: 2000 }),
  about: record(
    { what: choice(webhookSubjects), name: text('the id, or the name of the proposal') },
    {},
    'what it hears of',
  ),
  kinds: kinds('what it receives'),
  label: text('what it is for', { maxLength: 200 }),
  proposal: text('that it belongs to'),
  beamline: text('of its session; empty: of none'),
  owner: text('who made it; empty: the gateway was open'),
  createdAt: time(),
} as const;

/** Minutes for which e-mail is collected: a day at most. */
const everyMinutes = (what: string) => integer(what, { minimum: 0, maximum: 1440 });
const mailMembers = {
  everyMinutes: everyMinutes('minutes for which what is reported is gathered into one e-mail; 0: at once'),
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
export const deliveryStateSchema = record(
  'DeliveryState',
  {
    waiting: count('notices that are to be delivered'),
    delivered: count('notices that were'),
    dead: count('notices that are no longer retried; they can be replayed'),
    lost: count('notices that found no room any more, because too many wait or are dead'),
    failing: count('times in a row that something could not be delivered'),
  },
  {
    lastDeliveredAt: time(),
    lastFailedAt: time(),
    lastFailure: text('why the last try that failed did'),
  },
);
export type DeliveryState = Described<typeof deliveryStateSchema>;

export const webhookViewSchema = record(
  'Webhook',
  { ...webhookMembers, deliveries: deliveryStateSchema },
  mailMembers,
  'a webhook, and how deliveries to it go',
);
export type WebhookView = Described<typeof webhookViewSchema>;

export const webhooksViewSchema = record('Webhooks', { webhooks: list(webhookViewSchema) });
export type WebhooksView = Described<typeof webhooksViewSchema>;

export const newWebhookSchema = record(
  'NewWebhook',
  {
    secret: text('what messages are signed with: it is shown only once; empty: e-mail, which is not signed'),
    webhook: webhookViewSchema,
  },
  {},
  'a webhook that was made just now',
);
export type NewWebhook = Described<typeof newWebhookSchema>;

/** The request for a new webhook. Exactly one of session, batch and proposal. */
export const webhookRequestSchema = closed(
  record(
    'WebhookRequest',
    {
      url: text(
        'where notices are delivered: https, at a host that the installation allows, or mailto: and an e-mail address',
        {
          maxLength: 2000,
          'x-allowed': 'an http, https or mailto address of at most 2000 characters',
        },
      ),
    },
    {
      session: text('id or title of a session', { maxLength: 200 }),
      batch: text('id of a batch', { maxLength: 64 }),
      proposal: text('a proposal: all of its sessions and batches', {
        maxLength: 64,
        pattern: `^${folderName}$`,
        'x-allowed': folderNameAllowed,
      }),
      kinds: kinds(`what it receives; absent: ${usualNoticeKinds.join(', ')}`),
      everyMinutes: everyMinutes(
        `of e-mail: minutes for which what is reported is gathered into one; 0: at once; absent: 0 for a session, else ${String(usualEveryMinutes)}`,
      ),
      label: text('what it is for', {
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
  { beamline: text(), batch: text('id of the batch that the session belongs to') },
);

/** The body of a webhook's message (docs/notifications.md). */
export const webhookMessageSchema = record(
  'WebhookMessage',
  {
    type: choice([...noticeKinds, 'webhook.test']),
    timestamp: time('when it happened'),
    data: record(
      { sentence: text('what has happened'), next: text('what to do') },
      {
        session: toldOfSchema,
        batch: toldOfSchema,
        cycle: count('0: before the first'),
        outcome: choice(sessionOutcomes, 'the outcome of the session (docs/outcomes.md)'),
        reason: choice(stopReasons, 'why it ended (docs/stop-reasons.md)'),
        fit: sessionFitSchema,
        status: choice(sessionStatuses),
        program: text('what ran in the cycle'),
        result: choice(['success', 'failed'], 'of the cycle'),
        outcomes: record(
          {},
          Object.fromEntries(sessionOutcomes.map((word) => [word, count()])),
          'sessions of the batch by outcome',
        ),
        rejected: count('rows of the batch that were refused'),
        until: time('the files are kept at least until then'),
        links: record({ self: text() }, { results: text() }, 'URLs of the gateway'),
      },
    ),
  },
  {},
  'what a webhook receives',
);
export type WebhookMessage = Described<typeof webhookMessageSchema>;

export const webhookTestSchema = record(
  'WebhookTest',
  { delivered: flag('whether the target took it'), tookMs: count(), message: webhookMessageSchema },
  { status: count('what the target answered'), why: text('why it was not delivered') },
  'the outcome of a test message',
);
export type WebhookTest = Described<typeof webhookTestSchema>;

const noticeId = text('the webhook-id of its message', {
  pattern: '^[0-9a-z.-]{1,100}$',
  'x-allowed': 'the id of a dead notice, as phx webhooks dead shows it',
});

export const deadNoticeSchema = record(
  'DeadNotice',
  {
    id: noticeId,
    of: text('id of the session or batch'),
    attempts: count(),
    diedAt: time(),
    why: text('why the last try failed'),
  },
  { kind: choice(noticeKinds), at: time('when it happened') },
  'a notice that is no longer retried',
);
export type DeadNotice = Described<typeof deadNoticeSchema>;
export const deadNoticesSchema = record('DeadNotices', { dead: list(deadNoticeSchema) });
export type DeadNotices = Described<typeof deadNoticesSchema>;

export const replayRequestSchema = closed(
  record('ReplayRequest', {}, { notices: list(noticeId, 'which; absent: all', { minItems: 1, maxItems: 1000 }) }),
);
export type ReplayRequest = Described<typeof replayRequestSchema>;
export const replayedSchema = record('Replayed', { replayed: count('dead notices that wait again') });
export type Replayed = Described<typeof replayedSchema>;

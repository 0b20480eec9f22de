import type { SessionFit, SessionOutcome } from '@fleet/contracts/sessions';
import type { Webhook, WebhookMessage } from '@fleet/contracts/webhooks';
import { metricLabel, type MetricDefinitions } from './metric-text';
import { counted, plainLine } from './plain-text';

/** An e-mail: its subject in one line, and plain text. */
export interface Digest {
  readonly subject: string;
  readonly text: string;
}

/** The recipient's webhook, and the names of metrics. */
export interface DigestFor {
  readonly webhook: Pick<Webhook, 'id' | 'about' | 'label' | 'owner' | 'createdAt' | 'everyMinutes'>;
  readonly metrics: MetricDefinitions;
  /** Base URL of links: the gateway; empty: no links. */
  readonly linkBase: string;
}

type Data = WebhookMessage['data'];

/** Maximum length of a subject, as mail clients show it. */
const longestSubject = 120;
const shortened = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= longestSubject ? text : `${characters.slice(0, longestSubject - 1).join('')}…`;
};

const wordText = (outcome: SessionOutcome): string => outcome.replace('_', ': ');
const timeText = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/** `R-free 0.213, R-work 0.187, at 1.60 Å, good`. */
const fitText = ({ metric, value, rWork, resolution, quality }: SessionFit, metrics: MetricDefinitions): string =>
  [
    `${metricLabel(metric, metrics)} ${value.toFixed(3)}`,
    ...(rWork === undefined ? [] : [`R-work ${rWork.toFixed(3)}`]),
    ...(resolution === undefined ? [] : [`at ${resolution.toFixed(2)} Å`]),
    ...(quality === undefined ? [] : [quality]),
  ].join(', ');

const subjectOf = ({ session, batch }: Data) => session ?? batch;

/** `crystal 7 (mx1234, i04)`. */
const titleText = (data: Data): string => {
  const of = subjectOf(data);
  if (of === undefined) return 'test';
  const where = [of.proposal, ...(of.beamline === undefined ? [] : [of.beamline])].join(', ');
  return `${data.batch === undefined ? '' : 'batch '}${of.title === '' ? of.id : of.title} (${where})`;
};

const placesOf = (data: Data, base: string): readonly string[] => {
  const of = subjectOf(data);
  if (of === undefined) return [];
  const [page, command] =
    data.batch === undefined
      ? [`/ui/sessions/${of.id}`, `phx show ${of.id}`]
      : [`/ui/sessions?batch=${of.id}`, `phx batch results ${of.id}`];
  return [...(base === '' ? [] : [`${base}${page}`]), command];
};

const happened = ({ timestamp, data }: WebhookMessage, metrics: MetricDefinitions): readonly string[] => {
  const { outcome, fit, sentence, next } = data;
  const numbers = fit === undefined ? '' : ` ${fitText(fit, metrics)}`;
  const head = outcome === undefined ? sentence : `${wordText(outcome)}.${numbers}`;
  return [
    `  ${timeText(timestamp)}  ${head}`,
    ...(outcome === undefined ? [] : [`    ${sentence}`]),
    `    Next: ${next}`,
  ];
};

/** All notices of one session or batch, in order. */
const partOf = (messages: readonly WebhookMessage[], { metrics, linkBase }: DigestFor): readonly string[] => {
  const [first] = messages;
  if (first === undefined) return [];
  return [
    titleText(first.data),
    ...messages.flatMap((message) => happened(message, metrics)),
    ...placesOf(first.data, linkBase).map((place) => `  ${place}`),
  ];
};

const whyText = ({ webhook }: DigestFor): readonly string[] => {
  const { id, about, label, owner, createdAt, everyMinutes = 0 } = webhook;
  const what = about.what === 'proposal' ? `proposal ${about.name}` : `${about.what} ${about.name}`;
  const pace = everyMinutes === 0 ? 'at once' : `gathered for ${counted(everyMinutes, 'minute')}`;
  return [
    '--',
    `You receive this because ${owner === '' ? 'another user' : owner} subscribed on ${createdAt.slice(0, 10)}: notifications for ${what}, ${pace}.${label === '' ? '' : ` (${label})`}`,
    `To unsubscribe: phx webhooks remove ${id}, by any member of the proposal.`,
  ];
};

const outcomeCounts = (messages: readonly WebhookMessage[]): string => {
  const counts = new Map<SessionOutcome, number>();
  for (const { type, data } of messages)
    if (type === 'session.ended' && data.outcome !== undefined)
      counts.set(data.outcome, (counts.get(data.outcome) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${String(count)} ${wordText(word)}`).join(', ');
};

const oneSubject = ({ type, data }: WebhookMessage): string => {
  if (type === 'webhook.test') return 'a test';
  const words = {
    'session.ended': data.outcome === undefined ? 'ended' : wordText(data.outcome),
    'session.cycle_done': `cycle ${String(data.cycle ?? 0)} is done`,
    'session.needs_attention': 'needs attention',
    'session.recovered': 'recovered',
    'session.files_expire': `files are kept until ${(data.until ?? '').slice(0, 10)}`,
    'batch.ended': 'ended',
  } as const;
  return `${titleText(data)}: ${words[type]}`;
};

const severalSubject = (
  messages: readonly WebhookMessage[],
  parts: number,
  { webhook: { about } }: DigestFor,
): string => {
  const ends = outcomeCounts(messages);
  const of = about.what === 'proposal' ? about.name : `${about.what} ${about.name}`;
  return `${of}: ${ends === '' ? `${counted(messages.length, 'notice')} of ${counted(parts, 'session')}` : ends}`;
};

/**
 * Combines notices about sessions and batches to one e-mail, grouped by session or batch. Each line is a single line: external names cannot
 * add or hide a line, or begin a header.
 * @param messages in order of time for each session; at least one
 */
export const digestOf = (messages: readonly WebhookMessage[], to: DigestFor): Digest => {
  const parts = new Map<string, WebhookMessage[]>();
  for (const message of messages) {
    const id = subjectOf(message.data)?.id ?? '';
    parts.set(id, [...(parts.get(id) ?? []), message]);
  }
  const [first, ...others] = messages;
  const subject =
    first !== undefined && others.length === 0 ? oneSubject(first) : severalSubject(messages, parts.size, to);
  const lines = [...parts.values()].flatMap((part) => [...partOf(part, to), '']);
  return {
    subject: shortened(plainLine(`[phenix-fleet] ${subject}`)),
    text: [...lines, ...whyText(to)].map((line) => `${plainLine(line)}\n`).join(''),
  };
};

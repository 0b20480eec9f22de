import { isDescribed } from '@fleet/contracts/schema';
import type { SessionEvent, SessionFit, SessionOutcome, SessionStop } from '@fleet/contracts/sessions';
import { noticeSchema, type Notice, type WebhookMessage } from '@fleet/contracts/webhooks';
import { outcomeTexts } from './outcome';

/** Outcomes that need action. */
const needing: readonly SessionOutcome[] = ['unsatisfactory', 'failed_science', 'failed_infrastructure', 'rejected'];

/** How a transition ends a session. */
interface NoticedEnd {
  readonly stop: Pick<SessionStop, 'reason'>;
  readonly outcome: SessionOutcome;
  /** Absent: no relevant metric was measured. */
  readonly fit?: SessionFit | undefined;
}

const ofCycle = ({ at, cycle, data }: SessionEvent): Notice => {
  const { program, outcome } = data;
  return {
    kind: 'session.cycle_done',
    at,
    cycle,
    ...(typeof program === 'string' && { program }),
    ...((outcome === 'success' || outcome === 'failed') && { result: outcome }),
  };
};

const ofEnd = ({ at, cycle }: SessionEvent, { stop, outcome, fit }: NoticedEnd): readonly Notice[] => {
  const ending = { at, cycle, outcome, reason: stop.reason, ...(fit !== undefined && { fit }) };
  const ended: Notice = { kind: 'session.ended', ...ending };
  return needing.includes(outcome) ? [ended, { kind: 'session.needs_attention', ...ending }] : [ended];
};

const ofRecovery = ({ at, cycle, data: { status } }: SessionEvent, ended: NoticedEnd | undefined): Notice => {
  const notice: Notice = { kind: 'session.recovered', at, cycle, ...(ended && { outcome: ended.outcome }) };
  const withStatus = { ...notice, status };
  return isDescribed(noticeSchema, withStatus) ? withStatus : notice;
};

/**
 * The notices of a transition, in order and each kind once except that for attention, which may be about a request and about the end.
 * @param events of the transition
 * @param ended how it ends the session; undefined: it continues
 */
export const noticesOf = (events: readonly SessionEvent[], ended?: NoticedEnd): readonly Notice[] => {
  const find = (type: SessionEvent['type']): SessionEvent | undefined => events.find((event) => event.type === type);
  const [cycle, request, end, recovery] = [
    find('cycle_complete'),
    find('user_request_invalid'),
    find('session_ended'),
    find('session_recovered'),
  ];
  return [
    ...(recovery === undefined ? [] : [ofRecovery(recovery, ended)]),
    ...(cycle === undefined ? [] : [ofCycle(cycle)]),
    ...(request === undefined
      ? []
      : [{ kind: 'session.needs_attention', at: request.at, cycle: request.cycle } as const]),
    ...(end === undefined || ended === undefined ? [] : ofEnd(end, ended)),
  ];
};

/** The session or batch of a notice. */
export interface NoticedSubject {
  readonly id: string;
  readonly title: string;
  readonly proposal: string;
  readonly beamline?: string | undefined;
  readonly batch?: string | undefined;
}

type NoticeText = Pick<WebhookMessage['data'], 'sentence' | 'next'>;

const wordsOfCycle = ({ cycle = 0, program, result }: Notice): NoticeText => {
  const ran = program === undefined ? '' : `: ${program} ${result === 'failed' ? 'failed' : 'succeeded'}`;
  return { sentence: `Cycle ${String(cycle)} is done${ran}.`, next: 'Nothing; the service continues by itself.' };
};

const wordsOfRecovery = ({ outcome, status }: Notice): NoticeText => ({
  sentence: `The record of the session was lost and has been rebuilt from its folder${status === undefined ? '' : `; it is ${status}`}.`,
  next:
    outcome === undefined
      ? 'Nothing; what happened before this message may never have been reported.'
      : `${outcomeTexts[outcome].next} What happened before this message may never have been reported.`,
});

const wordsOfBatch = ({ outcomes = {}, rejected = 0 }: Notice): NoticeText => {
  const counts = Object.entries(outcomes).flatMap(([word, count]) =>
    count === undefined || count === 0 ? [] : [`${String(count)} ${word.replace('_', ': ')}`],
  );
  const refused = rejected === 0 ? [] : [`${String(rejected)} row${rejected === 1 ? '' : 's'} refused`];
  const parts = [...counts, ...refused];
  return {
    sentence: `All sessions of the batch have ended${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`,
    next: 'Fetch its results; rows that failed can be run again.',
  };
};

const wordsOfExpiry = ({ until = '' }: Notice): NoticeText => ({
  sentence: `Its files are kept until ${until.slice(0, 10)}, and deleted afterwards by the rules of the facility.`,
  next: 'Download what is still needed, or pin the session with phx pin or on its page.',
});

const wordsOf = (notice: Notice): NoticeText => {
  const { kind, outcome } = notice;
  if (kind === 'session.cycle_done') return wordsOfCycle(notice);
  if (kind === 'session.recovered') return wordsOfRecovery(notice);
  if (kind === 'batch.ended') return wordsOfBatch(notice);
  if (kind === 'session.files_expire') return wordsOfExpiry(notice);
  if (outcome !== undefined) return outcomeTexts[outcome];
  return {
    sentence: 'A request cannot be met; see the events of the session.',
    next: 'Read its events, and give other advice or other settings.',
  };
};

const linksOf = ({ kind }: Notice, id: string, base: string): NonNullable<WebhookMessage['data']['links']> => {
  const self = `${base}/v1/${kind === 'batch.ended' ? 'batches' : 'sessions'}/${id}`;
  return { self, results: `${self}/results` };
};

/**
 * The message for a recipient: ids, title, outcome, its meaning and what to do. No path, no advice, no program output.
 * @param base base URL of links, or empty
 */
export const messageOf = (
  notice: Notice,
  { id, title, proposal, beamline, batch }: NoticedSubject,
  base: string,
): WebhookMessage => {
  const { kind, at, ...said } = notice;
  const of = {
    id,
    title,
    proposal,
    ...(beamline !== undefined && beamline !== '' && { beamline }),
    ...(batch !== undefined && { batch }),
  };
  return {
    type: kind,
    timestamp: at,
    data: {
      ...wordsOf(notice),
      ...(kind === 'batch.ended' ? { batch: of } : { session: of }),
      ...said,
      links: linksOf(notice, id, base),
    },
  };
};

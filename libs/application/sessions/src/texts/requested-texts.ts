import type { Session } from '@fleet/contracts/sessions';
import type { Clock, TextRequest, TextRequests, Numbered, Writings } from '@fleet/ports';
import { noSession } from '../session/find-session';

/** Pause in milliseconds before a failed request for the same subject is retried: each attempt costs money. */
const pauseMs = 600_000;
/** Maximum length of a reason; leaves room for the time of the next possible request. */
const longestReason = 900;

/** Common fields of on-demand texts from models. */
interface StoredText {
  readonly writtenAt: string;
  readonly parts?: unknown;
  readonly failed?: string;
  readonly why?: string;
}

interface TextPorts<T> {
  readonly requests: Pick<TextRequests, 'ask' | 'find'>;
  readonly writings: Pick<Writings<T>, 'newest' | 'next'>;
  readonly clock: Clock;
}

/** A subject: a whole session or one cycle; and whether a text still describes its current state. */
interface Subject<T> {
  readonly session: Session;
  readonly cycle?: number;
  readonly isCurrent: (text: T) => boolean;
}

/** State of a text: the pending request, and the outcome of the last one. */
export interface RequestedText<T> {
  readonly request: TextRequest | undefined;
  readonly kept: T | undefined;
}

const nameOf = ({ session, cycle }: Subject<never>): { readonly session: string; readonly cycle?: number } => ({
  session: session.id,
  ...(cycle !== undefined && { cycle }),
});

/** On-demand texts from models: assessments of sessions, or summaries of logs. */
export class RequestedTexts<T extends StoredText> {
  constructor(private readonly ports: TextPorts<T>) {}

  async find(subject: Subject<T>): Promise<RequestedText<T>> {
    const { requests, writings } = this.ports;
    // Read the request first: it is removed once its text exists.
    const request = await requests.find(nameOf(subject));
    return { request, kept: (await writings.newest(subject.session, subject.cycle))?.kept };
  }

  /**
   * Requests the text from a model, unless it exists, models have just failed, or the session uses the rules only.
   * @throws Fault `session.not_found`: it was deleted meanwhile
   */
  async request(subject: Subject<T>): Promise<RequestedText<T>> {
    const { requests, writings } = this.ports;
    const { session, cycle, isCurrent } = subject;
    const newest = await writings.newest(session, cycle);
    const isThere = newest?.kept.parts !== undefined && isCurrent(newest.kept);
    if (isThere || session.request.settings.use_rules_only) return { request: undefined, kept: newest?.kept };
    const refused = await this.justFailed(subject, newest);
    if (refused !== undefined) return { request: undefined, kept: refused };
    const request = await requests.ask(nameOf(subject), await writings.next(session, cycle));
    if (request === undefined) throw noSession(session.id);
    return { request, kept: newest?.kept };
  }

  /** The last failure, with the time of the next possible request; undefined if a request is possible, or is in progress. */
  private async justFailed(subject: Subject<T>, newest: Numbered<T> | undefined): Promise<T | undefined> {
    const { requests, clock } = this.ports;
    const text = newest?.kept;
    if (text?.failed === undefined || !subject.isCurrent(text)) return undefined;
    const retryAt = Date.parse(text.writtenAt) + pauseMs;
    if (retryAt <= clock.now() || (await requests.find(nameOf(subject))) !== undefined) return undefined;
    const { why = text.failed } = text;
    const retry = `it can be requested again from ${new Date(retryAt).toISOString()}, or when the session has changed`;
    return { ...text, why: `${why.slice(0, longestReason)}; ${retry}` };
  }
}

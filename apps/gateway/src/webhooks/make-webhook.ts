import { randomBytes } from 'node:crypto';
import { may } from '@fleet/access';
import {
  batchNoticeKinds,
  isMailAddress,
  isMailRecipient,
  isWebhookTarget,
  mailAddressForm,
  mailAddressOf,
  noticeKinds,
  usualEveryMinutes,
  usualNoticeKinds,
  webhookSubjects,
  webhookTargetForms,
  webhookWishSchema,
  type Principal,
  type Webhook,
  type WebhookSubject,
  type WebhookWish,
} from '@fleet/contracts';
import { isoTime, type Clock, type KeptWebhooks, type WebhookFiles } from '@fleet/ports';
import type { VisibleSessions } from '../access/visible-sessions';
import { ApiError } from '../errors/problem-details';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { notTheirs } from '../submission/submitted-by';
import type { WebhookOptions } from './webhook-options';

interface MakingParts {
  readonly webhooks: KeptWebhooks;
  readonly files: WebhookFiles;
  readonly visible: VisibleSessions;
  readonly clock: Clock;
  readonly options: Allowed;
}

/** Where this installation may tell anybody. */
type Allowed = Pick<WebhookOptions, 'targets' | 'mail'>;

/** Webhooks of one proposal: each of them costs a message for every session. */
const maxOfProposal = 50;

/** Session, batch or proposal, and where it belongs. */
type Subject = Pick<Webhook, 'about' | 'proposal' | 'beamline'>;

const subjectNamed = ({
  session,
  batch,
  proposal,
}: Partial<WebhookWish>): readonly (readonly [WebhookSubject, string])[] => {
  const given = { session, batch, proposal };
  return webhookSubjects.flatMap((what) => {
    const name = given[what];
    return name === undefined ? [] : [[what, name] as const];
  });
};

/** @throws ApiError `session.not_found`, `batch.not_found`, or `access.denied` for another's proposal */
const findSubject = async (
  [what, name]: readonly [WebhookSubject, string],
  principal: Principal,
  visible: VisibleSessions,
): Promise<Subject> => {
  if (what === 'proposal') return { about: { what, name }, proposal: name, beamline: '' };
  if (what === 'batch') {
    const { batch } = await visible.batchOf(principal, name);
    return { about: { what, name: batch.id }, proposal: batch.proposal, beamline: '' };
  }
  const { id, proposal, beamline } = await visible.rowOf(principal, name);
  return { about: { what, name: id }, proposal, beamline };
};

const checkRecipient = (address: string, { mail }: Allowed, problems: ProblemList): void => {
  if (!isMailAddress(address)) problems.add('field.value', 'url', 'is not a plain e-mail address', mailAddressForm);
  else if (!isMailRecipient(address, mail?.domains ?? []))
    problems.add(
      'field.value',
      'url',
      'is not at a domain that this installation writes to; its operators set FLEET_MAIL_DOMAINS',
    );
};

const checkUrl = (text: string, { targets }: Allowed, problems: ProblemList): void => {
  const url = /^https?:\/\/[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (url === null) problems.add('field.value', 'url', 'is not http, https or mailto address', webhookTargetForms);
  else if (url.username !== '' || url.password !== '' || url.hash !== '')
    problems.add('field.value', 'url', 'holds a user, a password or a fragment', 'an address without them');
  else if (!isWebhookTarget(url, targets))
    problems.add(
      'field.value',
      'url',
      `${url.protocol}//${url.host} is not among the targets that this installation allows; its operators set FLEET_WEBHOOK_TARGETS`,
    );
};

/** @throws ApiError `webhook.off` where nothing of the kind is ever sent */
const refuseOff = (url: string | undefined, { targets, mail }: Allowed): void => {
  const isMail = url !== undefined && mailAddressOf(url) !== undefined;
  if (isMail && mail === undefined) throw mailOff();
  const mayBeMail = isMail || (url === undefined && mail !== undefined);
  if (targets.length === 0 && !mayBeMail) throw off();
};

const checkPlace = (
  { url = '', everyMinutes }: Partial<WebhookWish>,
  allowed: Allowed,
  problems: ProblemList,
): void => {
  const address = mailAddressOf(url);
  if (address !== undefined) {
    checkRecipient(address, allowed, problems);
    return;
  }
  if (url !== '') checkUrl(url, allowed, problems);
  if (everyMinutes !== undefined)
    problems.add('field.value', 'everyMinutes', 'is for e-mail alone', 'leave it out, or name a mailto address');
};

const checkKinds = (what: WebhookSubject, { kinds = [] }: Partial<WebhookWish>, problems: ProblemList): void => {
  const beyond = what === 'session' ? kinds.filter((kind) => batchNoticeKinds.includes(kind)) : [];
  if (beyond.length === 0) return;
  const allowed = noticeKinds.filter((kind) => !batchNoticeKinds.includes(kind));
  problems.add('field.value', 'kinds', `holds ${beyond.join(', ')}, which no session tells`, allowed.join(', '));
};

const off = (): ApiError =>
  new ApiError(
    'webhook.off',
    'This installation sends no webhooks: its operators have allowed no target (FLEET_WEBHOOK_TARGETS). Nothing was made.',
  );

const mailOff = (): ApiError =>
  new ApiError(
    'webhook.off',
    'This installation sends no e-mail: its operators have named no mail server (FLEET_SMTP_URL). Nothing was made.',
  );

const tooMany = (proposal: string): ApiError =>
  new ApiError(
    'webhook.too_many',
    `Proposal ${proposal} has ${String(maxOfProposal)} webhooks already; remove one (phx webhooks list), or make one for the whole proposal.`,
  );

interface ReadWish {
  readonly wish: Partial<WebhookWish>;
  readonly named: readonly [WebhookSubject, string];
}

/** @throws ApiError `access.denied`, `webhook.off` or `request.invalid` */
const readWish = (body: unknown, principal: Principal, allowed: Allowed): ReadWish => {
  const problems = new ProblemList();
  const wish = readBody(webhookWishSchema, body, problems);
  const { proposal, url } = wish;
  // Before anything else of it is judged: whoever may not, learns nothing.
  if (proposal !== undefined && !may(principal, 'webhook.change', { proposal, beamline: '' }))
    throw notTheirs(principal, proposal);
  refuseOff(url, allowed);
  checkPlace(wish, allowed, problems);
  const [named = ['proposal', ''] as const, ...others] = subjectNamed(wish);
  if (named[1] === '' || others.length > 0)
    problems.add('field.value', 'body', 'names not exactly one thing to hear of', webhookSubjects.join(', '));
  checkKinds(named[0], wish, problems);
  refuseProblems(problems);
  return { wish, named };
};

/** As it is kept: of an e-mail address the domain in lower case, and how long it is gathered for. */
const placeOf = (
  { url = '', everyMinutes }: Partial<WebhookWish>,
  what: WebhookSubject,
): Pick<Webhook, 'url' | 'everyMinutes'> => {
  const address = mailAddressOf(url);
  if (address === undefined) return { url: new URL(url).href };
  const at = address.indexOf('@');
  return {
    url: `mailto:${address.slice(0, at)}${address.slice(at).toLowerCase()}`,
    everyMinutes: everyMinutes ?? (what === 'session' ? 0 : usualEveryMinutes),
  };
};

/**
 * A webhook as a body wishes it, made by whoever asks. What is another's is not told apart from what is not there.
 * @throws ApiError
 */
export const makeWebhook = async (body: unknown, principal: Principal, parts: MakingParts): Promise<Webhook> => {
  const { wish, named } = readWish(body, principal, parts.options);
  const { label = '', kinds = usualNoticeKinds } = wish;
  const subject = await findSubject(named, principal, parts.visible);
  const all = await parts.webhooks.list();
  if (all.filter(({ proposal }) => proposal === subject.proposal).length >= maxOfProposal)
    throw tooMany(subject.proposal);
  return {
    id: randomBytes(8).toString('hex'),
    ...placeOf(wish, subject.about.what),
    ...subject,
    kinds: subject.about.what === 'session' ? kinds.filter((kind) => !batchNoticeKinds.includes(kind)) : kinds,
    label: label.trim(),
    owner: principal.id,
    createdAt: isoTime(parts.clock),
    secretKey: parts.files.secretKey(),
  };
};

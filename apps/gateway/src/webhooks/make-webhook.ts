import { randomBytes } from 'node:crypto';
import { may } from '@fleet/access';
import {
  batchNoticeKinds,
  isWebhookTarget,
  noticeKinds,
  usualNoticeKinds,
  webhookSubjects,
  webhookTargetForms,
  webhookWishSchema,
  type Principal,
  type Webhook,
  type WebhookSubject,
  type WebhookTarget,
  type WebhookWish,
} from '@fleet/contracts';
import { isoTime, type Clock, type KeptWebhooks, type WebhookFiles } from '@fleet/ports';
import type { VisibleSessions } from '../access/visible-sessions';
import { ApiError } from '../errors/problem-details';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { notTheirs } from '../submission/submitted-by';

interface MakingParts {
  readonly webhooks: KeptWebhooks;
  readonly files: WebhookFiles;
  readonly visible: VisibleSessions;
  readonly clock: Clock;
  readonly targets: readonly WebhookTarget[];
}

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

const checkUrl = (text: string, targets: readonly WebhookTarget[], problems: ProblemList): void => {
  const url = URL.parse(text);
  if (url === null) problems.add('field.value', 'url', 'is no address', webhookTargetForms);
  else if (url.username !== '' || url.password !== '' || url.hash !== '')
    problems.add('field.value', 'url', 'holds a user, a password or a fragment', 'an address without them');
  else if (!isWebhookTarget(url, targets))
    problems.add(
      'field.value',
      'url',
      `${url.protocol}//${url.host} is not among the targets that this installation allows; its operators set FLEET_WEBHOOK_TARGETS`,
    );
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
const readWish = (body: unknown, principal: Principal, targets: readonly WebhookTarget[]): ReadWish => {
  const problems = new ProblemList();
  const wish = readBody(webhookWishSchema, body, problems);
  const { proposal, url } = wish;
  // Before anything else of it is judged: whoever may not, learns nothing.
  if (proposal !== undefined && !may(principal, 'webhook.change', { proposal, beamline: '' }))
    throw notTheirs(principal, proposal);
  if (targets.length === 0) throw off();
  const [named = ['proposal', ''] as const, ...others] = subjectNamed(wish);
  if (named[1] === '' || others.length > 0)
    problems.add('field.value', 'body', 'names not exactly one thing to hear of', webhookSubjects.join(', '));
  if (url !== undefined) checkUrl(url, targets, problems);
  checkKinds(named[0], wish, problems);
  refuseProblems(problems);
  return { wish, named };
};

/**
 * A webhook as a body wishes it, made by whoever asks. What is another's is not told apart from what is not there.
 * @throws ApiError
 */
export const makeWebhook = async (body: unknown, principal: Principal, parts: MakingParts): Promise<Webhook> => {
  const { wish, named } = readWish(body, principal, parts.targets);
  const { url = '', label = '', kinds = usualNoticeKinds } = wish;
  const subject = await findSubject(named, principal, parts.visible);
  const all = await parts.webhooks.list();
  if (all.filter(({ proposal }) => proposal === subject.proposal).length >= maxOfProposal)
    throw tooMany(subject.proposal);
  return {
    id: randomBytes(8).toString('hex'),
    url: new URL(url).href,
    ...subject,
    kinds: subject.about.what === 'session' ? kinds.filter((kind) => !batchNoticeKinds.includes(kind)) : kinds,
    label: label.trim(),
    owner: principal.id,
    createdAt: isoTime(parts.clock),
    secretKey: parts.files.secretKey(),
  };
};

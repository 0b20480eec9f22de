import { randomBytes } from 'node:crypto';
import { may, notTheirs } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { BatchState } from '@fleet/contracts/batches';
import { Fault } from '@fleet/contracts/faults';
import { routes } from '@fleet/contracts/routes';
import type { SessionRow } from '@fleet/contracts/sessions';
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
  type Webhook,
  type WebhookSubject,
  type WebhookTarget,
  type MailDomain,
  type WebhookRequest,
} from '@fleet/contracts/webhooks';
import { isoTime, type Clock, type KeptWebhooks, type WebhookFiles } from '@fleet/ports';
import { collectBody, ProblemList, refuseProblems } from '@fleet/problems';

/** What the principal may see of sessions and batches: the others are hidden. */
interface Visible {
  rowOf(principal: Principal, name: string): Promise<SessionRow>;
  batchOf(principal: Principal, id: string): Promise<BatchState>;
}

/** Targets that this installation allows. */
interface Allowed {
  /** Empty: webhooks are off. */
  readonly targets: readonly WebhookTarget[];
  /** Absent: e-mail is off. */
  readonly mail?: { readonly domains: readonly MailDomain[] } | undefined;
}

/** Dependencies of creating webhooks. */
export interface MakingPorts {
  readonly webhooks: Pick<KeptWebhooks, 'list' | 'create'>;
  readonly files: Pick<WebhookFiles, 'secretKey' | 'secretOf'>;
  readonly visible: Visible;
  readonly clock: Clock;
  readonly options: Allowed;
}

/** Maximum per proposal: each webhook costs a message for every session. */
const maxOfProposal = 50;

/** The session, batch or proposal, and its owner. */
type Subject = Pick<Webhook, 'about' | 'proposal' | 'beamline'>;

const subjectNamed = ({
  session,
  batch,
  proposal,
}: Partial<WebhookRequest>): readonly (readonly [WebhookSubject, string])[] => {
  const given = { session, batch, proposal };
  return webhookSubjects.flatMap((what) => {
    const name = given[what];
    return name === undefined ? [] : [[what, name] as const];
  });
};

/** @throws Fault `session.not_found`, `batch.not_found`, or `access.denied` for another's proposal */
const findSubject = async (
  [what, name]: readonly [WebhookSubject, string],
  principal: Principal,
  visible: Visible,
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
    problems.add('field.value', 'url', 'is not at an allowed domain; its operators set FLEET_MAIL_DOMAINS');
};

const checkUrl = (text: string, { targets }: Allowed, problems: ProblemList): void => {
  const url = /^https?:\/\/[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (url === null) problems.add('field.value', 'url', 'is not http, https or mailto address', webhookTargetForms);
  else if (url.username !== '' || url.password !== '' || url.hash !== '')
    problems.add('field.value', 'url', 'contains a user, a password or a fragment', 'a URL without them');
  else if (!isWebhookTarget(url, targets))
    problems.add(
      'field.value',
      'url',
      `${url.protocol}//${url.host} is not among the targets that this installation allows; its operators set FLEET_WEBHOOK_TARGETS`,
    );
};

/** @throws Fault `webhook.off` if this type of notification is off */
const refuseOff = (url: string | undefined, { targets, mail }: Allowed): void => {
  const isMail = url !== undefined && mailAddressOf(url) !== undefined;
  if (isMail && mail === undefined) throw mailOff();
  const mayBeMail = isMail || (url === undefined && mail !== undefined);
  if (targets.length === 0 && !mayBeMail) throw off();
};

const checkEndpoint = (
  { url = '', everyMinutes }: Partial<WebhookRequest>,
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
    problems.add('field.value', 'everyMinutes', 'is for e-mail only', 'leave it out, or name a mailto address');
};

const checkKinds = (what: WebhookSubject, { kinds = [] }: Partial<WebhookRequest>, problems: ProblemList): void => {
  const beyond = what === 'session' ? kinds.filter((kind) => batchNoticeKinds.includes(kind)) : [];
  if (beyond.length === 0) return;
  const allowed = noticeKinds.filter((kind) => !batchNoticeKinds.includes(kind));
  problems.add('field.value', 'kinds', `holds ${beyond.join(', ')}, which sessions do not send`, allowed.join(', '));
};

const off = (): Fault =>
  new Fault(
    'webhook.off',
    'conflict',
    'This installation allows no webhooks (FLEET_WEBHOOK_TARGETS). Nothing was created.',
  );

const mailOff = (): Fault =>
  new Fault('webhook.off', 'conflict', 'This installation has no mail server (FLEET_SMTP_URL). Nothing was created.');

const tooMany = (proposal: string): Fault =>
  new Fault(
    'webhook.too_many',
    'conflict',
    `Proposal ${proposal} has ${String(maxOfProposal)} webhooks already; remove one (phx webhooks list), or create one for the whole proposal.`,
  );

interface ReadRequest {
  readonly request: Partial<WebhookRequest>;
  readonly named: readonly [WebhookSubject, string];
}

/** @throws Fault `access.denied`, `webhook.off` or `request.invalid` */
const readRequest = (body: unknown, principal: Principal, allowed: Allowed): ReadRequest => {
  const problems = new ProblemList();
  const request = collectBody(routes.webhooks.create, body, problems);
  const { proposal, url } = request;
  // Check access first, so that an unauthorized caller learns nothing.
  if (proposal !== undefined && !may(principal, 'webhook.change', { proposal, beamline: '' }))
    throw notTheirs(principal, proposal);
  refuseOff(url, allowed);
  checkEndpoint(request, allowed, problems);
  const [named = ['proposal', ''] as const, ...others] = subjectNamed(request);
  if (named[1] === '' || others.length > 0)
    problems.add('field.value', 'body', 'needs exactly one of session, batch and proposal', webhookSubjects.join(', '));
  checkKinds(named[0], request, problems);
  refuseProblems(problems);
  return { request, named };
};

/** The stored endpoint: for an e-mail address the domain in lower case, and the collection time. */
const endpointOf = (
  { url = '', everyMinutes }: Partial<WebhookRequest>,
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

/** Creates a webhook. Other users' sessions and batches appear as missing. */
export class MakeWebhook {
  constructor(private readonly ports: MakingPorts) {}

  /**
   * @returns the webhook, and its signing secret; empty: e-mail is not signed
   * @throws Fault `access.denied`, `webhook.off`, `webhook.too_many`, `webhook.no_installation_key`, `request.invalid`, or the Fault of its
   * subject
   */
  async run(body: unknown, principal: Principal): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
    const { webhooks, files, visible, clock, options } = this.ports;
    const { request, named } = readRequest(body, principal, options);
    const { label = '', kinds = usualNoticeKinds } = request;
    const subject = await findSubject(named, principal, visible);
    const all = await webhooks.list();
    if (all.filter(({ proposal }) => proposal === subject.proposal).length >= maxOfProposal)
      throw tooMany(subject.proposal);
    const webhook: Webhook = {
      id: randomBytes(8).toString('hex'),
      ...endpointOf(request, subject.about.what),
      ...subject,
      kinds: subject.about.what === 'session' ? kinds.filter((kind) => !batchNoticeKinds.includes(kind)) : kinds,
      label: label.trim(),
      owner: principal.id,
      createdAt: isoTime(clock),
      secretKey: files.secretKey(),
    };
    await webhooks.create(webhook);
    if (mailAddressOf(webhook.url) !== undefined) return { webhook, secret: '' };
    return { webhook, secret: `whsec_${files.secretOf(webhook)?.toString('base64') ?? ''}` };
  }
}

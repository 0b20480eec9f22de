import { createHash } from 'node:crypto';
import { failureText } from '@fleet/contracts/faults';
import { releaseVersion } from '@fleet/contracts/service';
import { isMailRecipient, mailAddressOf, type Webhook } from '@fleet/contracts/webhooks';
import type { NotSent, OutgoingMessage, Sending } from '@fleet/ports';
import { digestOf, type Digest, type MetricDefinitions } from '@fleet/session-report';
import { createTransport } from 'nodemailer';
import type { MailOptions } from './mail-options';
import type { WebhookOptions } from './webhook-options';

const away = (why: string): NotSent => ({ why, isGone: false, isTarget: true });
const off = away('this installation no longer sends e-mail (FLEET_SMTP_URL)');
const notAllowed = away('the domain of the address is not allowed (FLEET_MAIL_DOMAINS)');

/** Reads a member of what nodemailer returns or throws. */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The reply code of a mail server in a nodemailer error; 0: no reply. */
const replyCodeOf = (error: unknown): number => {
  const code = memberOf(error, 'responseCode');
  return typeof code === 'number' ? code : 0;
};

/**
 * Steps at which 5xx concerns this e-mail: its recipient, or its content. At all others it concerns the server or our
 * configuration.
 */
const ofThisMail: readonly unknown[] = ['RCPT TO', 'DATA'];

const failed = (error: unknown): NotSent => {
  const status = replyCodeOf(error);
  const step = memberOf(error, 'command');
  // 5xx is final (RFC 5321, 4.2.1): the same e-mail would be rejected again.
  const isGone = status >= 500 && ofThisMail.includes(step);
  return { why: failureText(error), ...(status > 0 && { status }), isGone, isTarget: !isGone };
};

/** Rejects after the timeout; the work continues in the background. */
const within = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the mail server did not accept it within ${String(ms / 1000)} s`)), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Sends several messages in one e-mail. The same messages produce the same Message-ID, so that a duplicate can be
 * recognised. The address is checked each time, because its domain may have been removed from the list.
 */
export class MailPost {
  constructor(
    private readonly options: WebhookOptions,
    private readonly knowledge: { readonly metrics: MetricDefinitions },
  ) {}

  /** Sends one e-mail; never throws. */
  async send(webhook: Webhook, mailed: readonly OutgoingMessage[]): Promise<Sending> {
    const { mail, linkBase } = this.options;
    const to = mailAddressOf(webhook.url) ?? '';
    if (mail === undefined) return off;
    if (!isMailRecipient(to, mail.domains)) return notAllowed;
    const messages = mailed.map(({ message }) => message);
    const digest = digestOf(messages, { webhook, metrics: this.knowledge.metrics, linkBase });
    const ids = [webhook.id, ...mailed.map(({ id }) => id)].join('\n');
    const messageId = `<${createHash('sha256').update(ids).digest('hex').slice(0, 40)}${mail.from.slice(mail.from.indexOf('@'))}>`;
    try {
      return await within(deliver(digest, { to, messageId }, mail), mail.timeoutMs);
    } catch (error) {
      return failed(error);
    }
  }
}

interface Envelope {
  readonly to: string;
  readonly messageId: string;
}

/** Addresses are passed to nodemailer as objects, so that it does not parse them. */
const deliver = async (
  { subject, text }: Digest,
  { to, messageId }: Envelope,
  { server: { host, port, tls, login }, from, timeoutMs }: MailOptions,
): Promise<Sending> => {
  const transport = createTransport({
    host,
    port,
    secure: tls === 'at-once',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(login && { auth: login }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const sent: unknown = await transport.sendMail({
    from: { name: 'phenix-fleet', address: from },
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    messageId,
    subject,
    text,
    // Prevents automatic replies (RFC 3834).
    headers: { 'auto-submitted': 'auto-generated' },
    xMailer: `phenix-fleet/${releaseVersion}`,
  });
  return { status: Number(/^\d{3}/.exec(String(memberOf(sent, 'response')))?.[0] ?? 250) };
};

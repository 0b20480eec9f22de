import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { MailOptions } from '@fleet/webhook-post';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header and body as they came. */
  readonly raw: string;
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
  readonly user: string;
}

/** A reply of a mail server other than 250. */
export const reply = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

const decodeWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, form: string, encoded: string) =>
      form.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64').toString()
        : decodeQuoted(encoded.replaceAll('_', ' ')),
    );

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();

const decodeBody = (head: string, body: string): string => {
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(head)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? decodeQuoted(body) : body;
};

const headerOf = (head: string, name: string): string => {
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  return decodeWords(new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? '');
};

/** A mail server of this machine, over real SMTP. */
export class MailTarget {
  /** Every e-mail whose text arrived, taken or not. */
  readonly received: ReceivedMail[] = [];
  readonly taken: ReceivedMail[] = [];
  /** Undefined: it is taken. */
  atRecipient: () => Error | undefined = () => undefined;
  atEnd: () => Error | undefined | Promise<Error | undefined> = () => undefined;

  private constructor(private readonly server: SMTPServer) {}

  static async start(options: SMTPServerOptions = {}): Promise<MailTarget> {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      logger: false,
      ...options,
    });
    const target = new MailTarget(server);
    // What a client that went away left behind is none of a test's.
    server.on('error', () => undefined);
    server.onRcptTo = (_, __, done) => done(target.atRecipient());
    server.onData = (stream, session, done) => {
      void target.take(buffer(stream), session).then(done, done);
    };
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    return target;
  }

  /** How a gateway reaches it. */
  options(changes: Partial<MailOptions['server']> = {}): MailOptions {
    const { port } = this.server.server.address() as AddressInfo;
    return {
      server: { host: '127.0.0.1', port, tls: 'none', ...changes },
      from: 'fleet@example.org',
      domains: [{ domain: 'example.org', below: false }],
      timeoutMs: 60_000,
      leaseMs: 120_000,
      notices: 200,
    };
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async take(content: Promise<Buffer>, session: SMTPServerSession): Promise<Error | undefined> {
    const raw = (await content).toString('latin1');
    const at = raw.indexOf('\r\n\r\n');
    const [head, body] = [raw.slice(0, at), raw.slice(at + 4)];
    const { mailFrom, rcptTo } = session.envelope;
    const mail = {
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      raw,
      subject: headerOf(head, 'subject'),
      messageId: headerOf(head, 'message-id'),
      text: decodeBody(head, body),
      user: typeof session.user === 'string' ? session.user : '',
    };
    this.received.push(mail);
    const refused = await this.atEnd();
    if (refused === undefined) this.taken.push(mail);
    return refused;
  }
}

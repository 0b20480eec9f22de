import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { readWebhookTargets, usualNoticeKinds, type NoticeKind, type Webhook } from '@fleet/contracts/webhooks';
import type { Deliveries, KeptWebhooks, WebhookFiles } from '@fleet/ports';
import type { PostgresStore } from '@fleet/store';
import {
  aCycle,
  aNewSession,
  anEvent,
  anId,
  aRequest,
  aWebhook,
  eventually,
  type PostgresServer,
} from '@fleet/testing';
import { openStore } from '../support/servers';
import { Client } from 'pg';
import { AllowedAddresses, MailPost, patience, WebhookPost, type WebhookOptions } from '@fleet/webhook-post';
import { TellWebhook } from '@fleet/webhooks';
import { WebhookSender } from '../../apps/gateway/src/routes/webhooks/webhook-sender';
import type { Target } from './target';

/** So impatient that a test sees what takes a day; one try may take its time, for the machine may be busy. */
export const impatient = { idleMs: 5, firstAgainMs: 1, leaseMs: 120_000, timeoutMs: 60_000, maxAttempts: 4 } as const;

/** Waits for what becomes so by itself. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  await eventually(String(isSo), isSo);
};

export const secret = Buffer.alloc(32, 5);

const files: WebhookFiles = {
  create: () => Promise.resolve(),
  all: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
  secretKey: () => '00c0ffee',
  secretOf: () => secret,
};

const metrics = { r_free: { label: 'R-free', better: 'lower', decimals: 4, why: 'a test' } } as const;

/** A store in a real PostgreSQL, whose sessions a test moves by hand, and those who tell webhooks of it. */
export class Deliverers {
  readonly senders: WebhookSender[] = [];
  private constructor(
    readonly store: PostgresStore,
    /** Of the database, for what no port tells. */
    readonly client: Client,
    private readonly close: () => Promise<void>,
    /** Milliseconds by which the clock of all deliverers is ahead. */
    readonly clock: { aheadMs: number },
  ) {}

  /** @param server that gives it an empty database */
  static async start(server: PostgresServer): Promise<Deliverers> {
    const clock = { aheadMs: 0, now: (): number => Date.now() + clock.aheadMs };
    const database = await server.newDatabase();
    const { store, close } = await openStore(database, clock);
    const client = new Client({ connectionString: database });
    await client.connect();
    return new Deliverers(store, client, close, clock);
  }

  async stop(): Promise<void> {
    await this.stopSenders();
    await this.client.end();
    await this.close();
  }

  async stopSenders(): Promise<void> {
    await Promise.all(this.senders.splice(0).map((sender) => sender.beforeApplicationShutdown()));
  }

  /** A gateway's part of the work; `deliveries` takes the place of the store's. */
  deliver(options: Partial<WebhookOptions> = {}, deliveries: Deliveries = this.store.deliveries): WebhookSender {
    const webhooks = Object.assign(this.store.webhooks, { restore: () => Promise.resolve() }) satisfies KeptWebhooks;
    const all: WebhookOptions = {
      ...patience,
      ...impatient,
      linkBase: '',
      targets: readWebhookTargets('http://127.0.0.1:*, http://localhost:*') ?? [],
      addresses: new AllowedAddresses(['127.0.0.0/8']),
      ...options,
    };
    const post = new WebhookPost(files, all, new MailPost(all, { metrics }));
    const log = new Logger('Webhooks');
    const telling = new TellWebhook({ deliveries, post, options: all, log });
    const sender = new WebhookSender(webhooks, all, deliveries, telling);
    sender.onApplicationBootstrap();
    this.senders.push(sender);
    return sender;
  }

  async webhook(target: Pick<Target, 'url'>, about: Webhook['about'], kinds: readonly NoticeKind[]): Promise<Webhook> {
    const made = aWebhook({ id: randomBytes(8).toString('hex'), url: target.url, about, kinds });
    await this.store.webhooks.create(made);
    return made;
  }

  /** E-mail to somebody, gathered for so many minutes. */
  async mail(to: string, about: Webhook['about'], everyMinutes = 0, kinds = usualNoticeKinds): Promise<Webhook> {
    const id = randomBytes(8).toString('hex');
    const made = aWebhook({ id, url: `mailto:${to}`, about, kinds, everyMinutes });
    await this.store.webhooks.create(made);
    return made;
  }

  async session(proposal = 'mx1', batch?: string, title?: string): Promise<string> {
    const id = anId();
    const request = aRequest({ proposal, title: title ?? `dataset ${id}`, ...(batch !== undefined && { batch }) });
    await this.store.records.create(aNewSession({ id, request }), [anEvent({ type: 'session_submitted' })], 1000);
    return id;
  }

  /** Cycles pass, from this version on. */
  async cycles(id: string, count: number, from = 1): Promise<void> {
    for (let version = from; version < from + count; version += 1) {
      const cycle = version;
      const event = anEvent({ type: 'cycle_complete', cycle, data: { program: 'phenix.refine', outcome: 'success' } });
      await this.store.records.advance({
        sessionId: id,
        fromVersion: version,
        to: { stage: 'deciding', cycle: cycle + 1, attempt: 1 },
        cycleRecord: aCycle({ cycle }),
        events: [event],
        dueInMs: 1000,
      });
    }
  }

  async end(id: string, version = 1): Promise<void> {
    const to = { ended: { reason: 'converged', detail: 'done', afterCycle: version } } as const;
    const events = [anEvent({ type: 'session_ended', cycle: version })];
    const fit = { metric: 'r_free', value: 0.2134, rWork: 0.1871, resolution: 1.6 };
    await this.store.records.advance({
      sessionId: id,
      fromVersion: version,
      to,
      events,
      dueInMs: 1,
      progress: { fit },
    });
  }
}

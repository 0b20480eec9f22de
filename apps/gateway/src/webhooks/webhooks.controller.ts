import { randomBytes } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { isWithinReach } from '@fleet/access';
import {
  mailAddressOf,
  replayWishSchema,
  type DeadNotices,
  type NewWebhook,
  type Replayed,
  type Webhook,
  type WebhookMessage,
  type WebhooksView,
  type WebhookTest,
  type WebhookView,
} from '@fleet/contracts';
import { CLOCK, DELIVERIES, isoTime, WEBHOOKS, type Clock, type Deliveries, type KeptWebhooks } from '@fleet/ports';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { VisibleSessions } from '../access/visible-sessions';
import type { HttpReply, HttpRequest } from '../http/http-types';
import {
  DeadNoticesDocs,
  NewWebhookDocs,
  RemoveWebhookDocs,
  ReplayDocs,
  TestWebhookDocs,
  WebhooksDocs,
} from '../openapi/webhook-docs';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { makeWebhook } from './make-webhook';
import { isSent, sendMessage, type Sending } from './send-message';
import { WebhookPost } from './webhook-post';

/** Dead notices in one answer: as many as are kept. */
const maxDeadShown = 1000;

/** Who is told of sessions and batches. */
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    @Inject(WEBHOOKS) private readonly webhooks: KeptWebhooks,
    @Inject(DELIVERIES) private readonly deliveries: Deliveries,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly post: WebhookPost,
    private readonly visible: VisibleSessions,
  ) {}

  @Get()
  @Requires('webhook.list')
  @WebhooksDocs()
  async list(@Req() request: HttpRequest): Promise<WebhooksView> {
    const principal = principalOf(request);
    const seen = (await this.webhooks.list()).filter((webhook) => isWithinReach(principal, webhook));
    return { webhooks: await Promise.all(seen.map((webhook) => this.view(webhook))) };
  }

  @Post()
  @Requires('webhook.change')
  @NewWebhookDocs()
  async create(
    @Body() body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<NewWebhook> {
    const { webhooks, visible, clock } = this;
    const { files, options } = this.post;
    const parts = { webhooks, files, visible, clock, options };
    const webhook = await makeWebhook(body, principalOf(request), parts);
    await this.webhooks.create(webhook);
    reply.header('cache-control', 'no-store');
    const view = await this.view(webhook);
    if (mailAddressOf(webhook.url) !== undefined) return { secret: '', webhook: view };
    return { secret: `whsec_${files.secretOf(webhook)?.toString('base64') ?? ''}`, webhook: view };
  }

  @Post(':id/removal')
  @HttpCode(200)
  @Requires('webhook.change')
  @RemoveWebhookDocs()
  async remove(@Param('id') id: string, @Req() request: HttpRequest): Promise<WebhookView> {
    const view = await this.view(await this.found(id, request));
    await this.webhooks.remove(id, { removedAt: isoTime(this.clock), removedBy: principalOf(request).id });
    return view;
  }

  /** Sends one message now, whatever waits. */
  @Post(':id/test')
  @HttpCode(200)
  @Requires('webhook.change')
  @TestWebhookDocs()
  async test(@Param('id') id: string, @Req() request: HttpRequest): Promise<WebhookTest> {
    const webhook = await this.found(id, request);
    const message: WebhookMessage = {
      type: 'webhook.test',
      timestamp: isoTime(this.clock),
      data: { sentence: 'This is a test of the webhook.', next: 'Nothing.' },
    };
    const from = performance.now();
    const sent = await this.send(webhook, message);
    const { status, ...failure } = isSent(sent) ? sent : { status: sent.status, why: sent.why };
    const tookMs = Math.round(performance.now() - from);
    return { delivered: isSent(sent), tookMs, message, ...failure, ...(status !== undefined && { status }) };
  }

  @Get(':id/dead')
  @Requires('webhook.read')
  @DeadNoticesDocs()
  async dead(@Param('id') id: string, @Req() request: HttpRequest): Promise<DeadNotices> {
    const webhook = await this.found(id, request);
    return { dead: await this.deliveries.dead(webhook.id, maxDeadShown) };
  }

  @Post(':id/replay')
  @HttpCode(200)
  @Requires('webhook.change')
  @ReplayDocs()
  async replay(@Param('id') id: string, @Body() body: unknown, @Req() request: HttpRequest): Promise<Replayed> {
    const webhook = await this.found(id, request);
    const problems = new ProblemList();
    const { notices } = readBody(replayWishSchema, body ?? {}, problems);
    refuseProblems(problems);
    return { replayed: await this.deliveries.replay(webhook.id, notices) };
  }

  private async send(webhook: Webhook, message: WebhookMessage): Promise<Sending> {
    const outgoing = { id: `test-${randomBytes(8).toString('hex')}`, message };
    if (mailAddressOf(webhook.url) !== undefined) return this.post.mail.send(webhook, [outgoing]);
    const opened = await this.post.open(webhook);
    if ('why' in opened) return opened;
    return sendMessage(opened.place, { ...outgoing, secret: opened.secret }, this.post.options);
  }

  private found(id: string, request: HttpRequest): Promise<Webhook> {
    return this.visible.webhookOf(principalOf(request), id);
  }

  private async view(webhook: Webhook): Promise<WebhookView> {
    const shown = Object.entries(webhook).filter(([member]) => member !== 'secretKey');
    const deliveries = await this.deliveries.state(webhook.id);
    return { ...(Object.fromEntries(shown) as Omit<WebhookView, 'deliveries'>), deliveries };
  }
}

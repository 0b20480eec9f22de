import { Body, Controller, Inject, Param, Req, Res } from '@nestjs/common';
import { isWithinReach } from '@fleet/access';
import { routes } from '@fleet/contracts/routes';
import type {
  DeadNotices,
  NewWebhook,
  Replayed,
  Webhook,
  WebhooksView,
  WebhookTest,
  WebhookView,
} from '@fleet/contracts/webhooks';
import { CLOCK, type Clock, DELIVERIES, type Deliveries, isoTime, type KeptWebhooks, WEBHOOKS } from '@fleet/ports';
import { readBody } from '@fleet/problems';
import { MakeWebhook, TestWebhook } from '@fleet/webhooks';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { VisibleSessions } from '../../auth/access/visible-sessions';
import type { HttpReply, HttpRequest } from '../../http/http-types';

/** Maximum dead notices in one response: as many as are stored. */
const maxDeadShown = 1000;

/** Webhooks and e-mail recipients of sessions and batches. */
@Controller()
export class WebhooksController {
  @Inject(WEBHOOKS) private readonly webhooks: KeptWebhooks;
  @Inject(DELIVERIES) private readonly deliveries: Deliveries;
  @Inject(CLOCK) private readonly clock: Clock;
  @Inject() private readonly making: MakeWebhook;
  @Inject() private readonly testing: TestWebhook;
  @Inject() private readonly visible: VisibleSessions;

  @Handles(routes.webhooks.list)
  async list(@Req() request: HttpRequest): Promise<WebhooksView> {
    const principal = principalOf(request);
    const seen = (await this.webhooks.list()).filter((webhook) => isWithinReach(principal, webhook));
    return { webhooks: await Promise.all(seen.map((webhook) => this.view(webhook))) };
  }

  @Handles(routes.webhooks.create)
  async create(
    @Body() body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<NewWebhook> {
    const { webhook, secret } = await this.making.run(body, principalOf(request));
    reply.header('cache-control', 'no-store');
    return { secret, webhook: await this.view(webhook) };
  }

  @Handles(routes.webhooks.remove)
  async remove(@Param('id') id: string, @Req() request: HttpRequest): Promise<WebhookView> {
    const view = await this.view(await this.found(id, request));
    await this.webhooks.remove(id, { removedAt: isoTime(this.clock), removedBy: principalOf(request).id });
    return view;
  }

  @Handles(routes.webhooks.test)
  async test(@Param('id') id: string, @Req() request: HttpRequest): Promise<WebhookTest> {
    return this.testing.run(await this.found(id, request));
  }

  @Handles(routes.webhooks.dead)
  async dead(@Param('id') id: string, @Req() request: HttpRequest): Promise<DeadNotices> {
    const webhook = await this.found(id, request);
    return { dead: await this.deliveries.dead(webhook.id, maxDeadShown) };
  }

  @Handles(routes.webhooks.replay)
  async replay(@Param('id') id: string, @Body() body: unknown, @Req() request: HttpRequest): Promise<Replayed> {
    const webhook = await this.found(id, request);
    const { notices } = readBody(routes.webhooks.replay, body);
    return { replayed: await this.deliveries.replay(webhook.id, notices) };
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

import { Logger, type Provider } from '@nestjs/common';
import { CLOCK, DELIVERIES, WEBHOOK_FILES, WEBHOOKS, type WebhookFiles } from '@fleet/ports';
import { MailPost, WEBHOOK_OPTIONS, WebhookPost, type WebhookOptions } from '@fleet/webhook-post';
import { MakeWebhook, TellWebhook, TestWebhook, type MakingPorts } from '@fleet/webhooks';
import { providedObject } from '@fleet/wiring';
import { VisibleSessions } from '../../auth/access/visible-sessions';
import { commandsOf } from '../commands-of';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';

const ports = providedObject<
  MakingPorts & ConstructorParameters<typeof TellWebhook>[0] & ConstructorParameters<typeof TestWebhook>[0],
  'log'
>(
  {
    webhooks: WEBHOOKS,
    files: WEBHOOK_FILES,
    deliveries: DELIVERIES,
    clock: CLOCK,
    options: WEBHOOK_OPTIONS,
    visible: VisibleSessions,
    post: WebhookPost,
  },
  { log: new Logger('Webhooks') },
);

/** The commands for webhooks. */
export const webhookCommands: readonly Provider[] = [
  {
    provide: WebhookPost,
    inject: [WEBHOOK_FILES, WEBHOOK_OPTIONS, AGENT_KNOWLEDGE],
    useFactory: (files: WebhookFiles, options: WebhookOptions, knowledge: AgentKnowledge) =>
      new WebhookPost(files, options, new MailPost(options, knowledge)),
  },
  ...commandsOf(ports, [MakeWebhook, TellWebhook, TestWebhook]),
];

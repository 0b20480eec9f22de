import { Option, type Command } from 'commander';
import { noticeKinds, type NewWebhook, type NoticeKind, type WebhookView } from '@fleet/contracts/webhooks';
import { plainLine } from '@fleet/session-report';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import type { Action, Connect } from '../command-context';
import { minutes } from '../read-options';

interface AddOptions {
  readonly session?: string;
  readonly batch?: string;
  readonly proposal?: string;
  readonly kind?: readonly NoticeKind[];
  readonly every?: number;
  readonly label?: string;
}

const aboutText = ({ about: { what, name } }: WebhookView): string => `${what} ${name}`;

const stateText = ({ deliveries: { failing, lastFailure, lastDeliveredAt } }: WebhookView): string => {
  if (failing > 0) return `failing: ${lastFailure ?? ''}`;
  return lastDeliveredAt === undefined ? 'not delivered yet' : `delivered ${lastDeliveredAt.slice(0, 19)}`;
};

/** The events of a webhook, and how to test it. */
const madeText = ({ webhook }: NewWebhook): string => {
  const what = `for ${aboutText(webhook)}: ${webhook.kinds.join(', ')}.`;
  const trying = `Test it with: phx webhooks test ${webhook.id}`;
  const { everyMinutes } = webhook;
  if (everyMinutes === undefined) return `Webhook ${webhook.id} ${what} Its secret is shown only once. ${trying}`;
  const pace = everyMinutes === 0 ? 'at once' : `gathered for ${String(everyMinutes)} min`;
  return `E-mail, ${pace}, ${what} ${trying}`;
};

const add: Action<AddOptions> = async (context, [url = ''], { kind: kinds, every: everyMinutes, ...options }) => {
  const made = await context.client.json('POST /v1/webhooks', { body: { url, ...options, kinds, everyMinutes } });
  context.print(made, () => [made.secret === '' ? made.webhook.id : made.secret]);
  if (!context.json) context.terminal.err(`${plainLine(madeText(made))}\n`);
};

const list: Action<object> = async (context) => {
  const found = await context.client.json('GET /v1/webhooks');
  context.print(found, () => {
    if (found.webhooks.length === 0) return ['No webhooks.'];
    const rows = found.webhooks.map((webhook) => {
      const { waiting, delivered, dead, lost } = webhook.deliveries;
      const counts = [waiting, delivered, dead, lost].map(String);
      return [webhook.id, aboutText(webhook), ...counts, stateText(webhook), webhook.url, webhook.label].map(plainLine);
    });
    return tableLines([['WEBHOOK', 'ABOUT', 'WAITING', 'DELIVERED', 'DEAD', 'LOST', 'STATE', 'URL', 'LABEL'], ...rows]);
  });
};

const test: Action<object> = async (context, [id = '']) => {
  const result = await context.client.json('POST /v1/webhooks/{id}/test', { path: { id } });
  const answer = result.status === undefined ? '' : ` with ${String(result.status)}`;
  context.print(result, () => [
    result.delivered
      ? `delivered${answer} in ${String(result.tookMs)} ms`
      : plainLine(`not delivered after ${String(result.tookMs)} ms: ${result.why ?? ''}`),
  ]);
  return result.delivered ? exitCodes.ok : exitCodes.refused;
};

const remove: Action<object> = async (context, [id = '']) => {
  const removed = await context.client.json('POST /v1/webhooks/{id}/removal', { path: { id } });
  const { waiting, dead } = removed.deliveries;
  context.print(removed, () => [
    plainLine(
      `removed ${removed.id} for ${aboutText(removed)}; ${String(waiting + dead)} undelivered notices were deleted`,
    ),
  ]);
};

const dead: Action<object> = async (context, [id = '']) => {
  const found = await context.client.json('GET /v1/webhooks/{id}/dead', { path: { id } });
  context.print(found, () => {
    if (found.dead.length === 0) return ['No dead notices.'];
    const rows = found.dead.map(({ id: notice, kind = '', of, attempts, diedAt, why }) =>
      [notice, kind, of, String(attempts), diedAt.slice(0, 19), why].map(plainLine),
    );
    return tableLines([['NOTICE', 'KIND', 'OF', 'TRIES', 'DIED', 'WHY'], ...rows]);
  });
};

const replay: Action<object> = async (context, [id = '', ...notices]) => {
  const body = notices.length === 0 ? {} : { notices };
  const result = await context.client.json('POST /v1/webhooks/{id}/replay', { path: { id }, body });
  context.print(result, () => [
    `${String(result.replayed)} notice${result.replayed === 1 ? ' waits' : 's wait'} again`,
  ]);
};

const webhookArgument = 'the id of the webhook, as phx webhooks list shows it';
const example = (text: string): string => `\nExample:\n  ${text}`;

const addCreation = (webhooks: Command, connect: Connect): void => {
  connect<AddOptions>(
    webhooks
      .command('add')
      .summary('create a webhook and print its secret once, or an e-mail notification')
      .description('Give exactly one of --session, --batch and --proposal.')
      .argument('<url>', 'destination: an https URL or mailto:ADDRESS that the installation allows')
      .option('--session <name>', 'a session: its id or its title')
      .option('--batch <id>', 'a batch and its sessions')
      .option('--proposal <name>', 'all sessions and batches of a proposal')
      .addOption(
        new Option('--kind <kind...>', 'events (default: session.ended, session.recovered, batch.ended)').choices(
          noticeKinds,
        ),
      )
      .option(
        '--every <minutes>',
        'e-mail: minutes to collect notices into one; 0: at once (default: 0 for a session, otherwise 10)',
        minutes,
      )
      .option('--label <text>', 'purpose of the webhook')
      .addHelpText(
        'after',
        example(
          'phx webhooks add https://hooks.example.org/fleet --proposal mx1234\n  phx webhooks add mailto:ada@example.org --proposal mx1234 --every 30',
        ),
      ),
    add,
  );
  connect<object>(
    webhooks
      .command('list')
      .summary('list webhooks and the state of their deliveries')
      .addHelpText('after', example('phx webhooks list')),
    list,
  );
};

/** Commands for webhooks and e-mail notifications of sessions and batches. */
export const addWebhooks = (program: Command, connect: Connect): void => {
  const webhooks = program
    .command('webhooks')
    .summary('webhooks and e-mail: add, list, test, remove, dead, replay')
    .addHelpText('after', example('phx webhooks list'));
  addCreation(webhooks, connect);
  const commands = [
    ['test', 'send a test message now and show its outcome', test],
    ['remove', 'remove a webhook and its undelivered notices', remove],
    ['dead', 'list notices that are no longer retried', dead],
  ] as const;
  for (const [name, summary, action] of commands)
    connect<object>(
      webhooks
        .command(name)
        .summary(summary)
        .argument('<webhook>', webhookArgument)
        .addHelpText('after', example(`phx webhooks ${name} 3f1c9a0b2d4e5f60`)),
      action,
    );
  connect<object>(
    webhooks
      .command('replay')
      .summary('deliver dead notices again, under the same ids')
      .argument('<webhook>', webhookArgument)
      .argument('[notices...]', 'ids, as phx webhooks dead shows them (default: all)')
      .addHelpText('after', example('phx webhooks replay 3f1c9a0b2d4e5f60')),
    replay,
  );
};

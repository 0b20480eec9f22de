import type { Command } from 'commander';
import type { AnswerOf, BodyOf } from '@fleet/api-client';
import { bytesText, counted, plainLine, retentionSentences } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import { onSession, sessionArgument, type Action, type CommandContext, type Connect } from '../command-context';

type Purged = AnswerOf<'POST /v1/admin/purges'>;
type Deleted = AnswerOf<'POST /v1/admin/deletions'>;
type Retention = AnswerOf<'GET /v1/sessions/{id}/retention'>;

interface PurgeOptions {
  readonly dryRun?: boolean;
}

interface DeleteOptions extends PurgeOptions {
  readonly proposal?: string;
  readonly submitter?: string;
  readonly reason: string;
  readonly yes?: boolean;
}

const retentionLines = (id: string, retention: Retention): readonly string[] => {
  const sentences = retentionSentences(retention);
  return [
    `${id}: ${sentences.length === 0 ? 'No retention rule applies: it is kept indefinitely.' : sentences.join(' ')}`,
  ].map(plainLine);
};

const pin: Action<{ readonly reason: string }> = async (context, [id = ''], { reason }) => {
  const body = { reason, by: context.terminal.user };
  const retention = await context.client.json('POST /v1/sessions/{id}/pin', { path: { id }, body });
  context.print(retention, () => retentionLines(id, retention));
};

const unpin: Action<object> = async (context, [id = '']) => {
  const retention = await context.client.json('POST /v1/sessions/{id}/unpin', { path: { id } });
  context.print(retention, () => retentionLines(id, retention));
};

/** Sums over all pages. */
const purgedTogether = (pages: readonly Purged[]): Purged => {
  const rules = new Map<string, Purged['rules'][number]>();
  for (const { rule, folders, bytes, records } of pages.flatMap((page) => page.rules)) {
    const sum = rules.get(rule) ?? { rule, folders: 0, bytes: 0, records: 0 };
    rules.set(rule, {
      rule,
      folders: sum.folders + folders,
      bytes: sum.bytes + bytes,
      records: sum.records + records,
    });
  }
  return {
    rules: [...rules.values()],
    held: pages.reduce((sum, { held }) => sum + held, 0),
    failed: pages.flatMap(({ failed }) => failed),
  };
};

/** Requests page after page: each does a bounded part of the work. */
const everyPage = async <P extends { readonly nextCursor?: string }>(
  request: (from: { readonly after?: string }) => Promise<P>,
): Promise<readonly P[]> => {
  const pages: P[] = [];
  let after: string | undefined;
  do {
    const page = await request(after === undefined ? {} : { after });
    pages.push(page);
    after = page.nextCursor;
  } while (after !== undefined);
  return pages;
};

const allPurged = async ({ client }: CommandContext, dryRun: boolean): Promise<Purged> =>
  purgedTogether(await everyPage((from) => client.json('POST /v1/admin/purges', { body: { dryRun, ...from } })));

const purgeLines = ({ rules, held, failed }: Purged, dryRun: boolean): readonly string[] => [
  ...(rules.length === 0
    ? [dryRun ? 'Nothing is due.' : 'Nothing was due.']
    : tableLines([
        ['RULE', 'FOLDERS', dryRun ? 'WOULD FREE' : 'FREED', 'RECORDS'],
        ...rules.map(({ rule, folders, bytes, records }) => [rule, String(folders), bytesText(bytes), String(records)]),
      ])),
  ...(held === 0 ? [] : [`${String(held)} due sessions are kept: pinned, in use, or part of a running batch`]),
  ...failed.map(({ id, reason }) => plainLine(`NOT deleted ${id}: ${reason}`)),
];

const purge: Action<PurgeOptions> = async (context, _, { dryRun = false }) => {
  const report = await allPurged(context, dryRun);
  context.print(report, () => purgeLines(report, dryRun));
  return report.failed.length === 0 ? exitCodes.ok : exitCodes.refused;
};

const deletedTogether = (pages: readonly Deleted[]): Deleted => {
  const sum = (of: (page: Deleted) => number): number => pages.reduce((all, page) => all + of(page), 0);
  return {
    sessions: sum(({ sessions }) => sessions),
    bytes: sum(({ bytes }) => bytes),
    batches: sum(({ batches }) => batches),
    uploads: sum(({ uploads }) => uploads),
    refused: pages.flatMap(({ refused }) => refused),
  };
};

const allDeleted = async ({ client }: CommandContext, request: BodyOf<'POST /v1/admin/deletions'>): Promise<Deleted> =>
  deletedTogether(
    await everyPage((from) => client.json('POST /v1/admin/deletions', { body: { ...request, ...from } })),
  );

const deletedText = ({ sessions, bytes, batches, uploads }: Deleted): string =>
  `${counted(sessions, 'session')} (${bytesText(bytes)}), ${counted(batches, 'batch', 'batches')}, ${counted(uploads, 'upload')}`;

const isConfirmed = async (context: CommandContext, request: BodyOf<'POST /v1/admin/deletions'>): Promise<boolean> => {
  const { terminal } = context;
  if (terminal.ask === undefined)
    throw new CliError(exitCodes.usage, 'A confirmation is required, but no terminal is available.', [
      'Nothing was deleted. Run the command in a terminal, or confirm with --yes.',
    ]);
  const found = await allDeleted(context, { ...request, dryRun: true });
  const answer = await terminal.ask(`This deletes ${deletedText(found)} permanently. Type yes: `);
  return answer.trim().toLowerCase() === 'yes';
};

const deleteData: Action<DeleteOptions> = async (context, _, options) => {
  const { proposal, submitter, reason, dryRun = false, yes = false } = options;
  if ((proposal === undefined) === (submitter === undefined))
    throw new CliError(exitCodes.usage, 'Give either --proposal or --submitter.');
  const by = context.terminal.user;
  const owner = proposal === undefined ? { submitter: submitter ?? '' } : { proposal };
  const request = { ...owner, reason, by, dryRun };
  if (!dryRun && !yes && !(await isConfirmed(context, request)))
    throw new CliError(exitCodes.usage, 'Nothing was deleted.');
  const report = await allDeleted(context, request);
  context.print(report, () =>
    [
      `${dryRun ? 'would be deleted' : 'deleted'}: ${deletedText(report)}`,
      ...report.refused.map((one) => `NOT deleted ${one.id}: ${one.reason}`),
    ].map(plainLine),
  );
  return report.refused.length === 0 ? exitCodes.ok : exitCodes.refused;
};

const example = (text: string): string => `\nExample:\n  phx ${text}`;
const dryRunOption = ['--dry-run', 'show what would be deleted, and delete nothing'] as const;

/** Pins sessions against retention rules. */
export const addPin = (program: Command, connect: Connect): void => {
  connect<{ reason: string }>(
    program
      .command('pin')
      .summary('pin a session: no retention rule deletes it')
      .argument('<id>', sessionArgument)
      .requiredOption('--reason <text>', 'why, in one sentence; shown with the session')
      .addHelpText('after', example('pin 01jd7v9s6m2x4k8q0w5c3b1n7r --reason "deposited as 9ABC"')),
    onSession(pin),
  );
  connect<object>(
    program
      .command('unpin')
      .summary('remove the pin of a session')
      .argument('<id>', sessionArgument)
      .addHelpText('after', example('unpin 01jd7v9s6m2x4k8q0w5c3b1n7r')),
    onSession(unpin),
  );
};

/** Deletes what is due, and data of a proposal or person on request. */
export const addPurge = (admin: Command, connect: Connect): void => {
  connect<PurgeOptions>(
    admin
      .command('purge')
      .summary('delete folders and records that have expired under the retention rules')
      .description(
        'A gateway does this once a day. The rules are FLEET_RETENTION; without rules nothing is due. Exits with 3 if something could not be deleted.',
      )
      .option(...dryRunOption)
      .addHelpText('after', example('admin purge --dry-run')),
    purge,
  );
  connect<DeleteOptions>(
    admin
      .command('delete')
      .summary('delete all data of a proposal or of a person, on request')
      .description(
        'Deletes ended sessions with their folders and records, batches and uploads, even if pinned. Running sessions are kept and listed. The audit log is kept and records who ordered the deletion and why. Exits with 3 if anything is kept.',
      )
      .option('--proposal <name>', 'all data of this proposal')
      .option('--submitter <name>', 'all data that this person has submitted')
      .requiredOption('--reason <text>', 'why, in one sentence; recorded in the audit log')
      .option(...dryRunOption)
      .option('--yes', 'do not ask')
      .addHelpText('after', example('admin delete --proposal mx1234 --reason "request of the user office" --dry-run')),
    deleteData,
  );
};

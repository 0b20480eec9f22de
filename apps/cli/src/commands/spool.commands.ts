import type { Command } from 'commander';
import { CliError } from '../cli-error';
import { exitCodes, type ExitCode } from '../exit-codes';
import { tableLines } from '../output/table';
import { changesOf } from '../spool/noted-files';
import { Spool } from '../spool/spool';
import type { RefusedEntry, SpoolEntry } from '../spool/spool-entry';
import { tryEntry } from '../spool/try-entry';
import type { Action, CommandContext, Connect } from './command-context';

/** What people know a submission by. */
const nameOf = ({ body }: SpoolEntry): string => {
  const [title, files, folder]: readonly unknown[] = ['title', 'files', 'input_directory'].map((member): unknown =>
    Reflect.get(body, member),
  );
  if (typeof title === 'string' && title !== '') return title;
  const first: unknown = Array.isArray(files) ? files[0] : folder;
  return typeof first === 'string' ? first : '';
};

const list: Action<object> = async (context) => {
  const spool = await Spool.open(context.terminal.stateFolder);
  const [waiting, refused] = [await spool.entries(), await spool.refused()];
  const changes = new Map<string, readonly string[]>();
  for (const { id, files } of waiting) changes.set(id, await changesOf(files));
  const document = {
    waiting: waiting.map((entry) => ({ ...entry, changed: changes.get(entry.id) ?? [] })),
    refused,
  };
  context.print(document, () => [
    ...(waiting.length + refused.length === 0 ? [`Nothing is kept in ${spool.folder}.`] : []),
    ...(waiting.length === 0
      ? []
      : tableLines([
          ['ID', 'KEPT', 'FOR', 'WHAT'],
          ...waiting.map((entry) => [entry.id, entry.keptAt.slice(0, 19), entry.server, nameOf(entry)]),
        ])),
    ...waiting.flatMap(({ id }) => (changes.get(id) ?? []).map((change) => `${id} is not sent: ${change}`)),
    ...refused.flatMap(({ entry, reason, problems }) => [
      `${entry.id} was refused (${nameOf(entry)}): ${reason}`,
      ...problems.map((problem) => `  ${problem}`),
    ]),
  ]);
  return exitCodes.ok;
};

interface SendOptions {
  readonly asTheyAre?: boolean;
}

/** What `phx spool send` says of each entry. */
interface Report {
  readonly id: string;
  readonly outcome: 'sent' | 'refused' | 'changed' | 'waits';
  readonly session?: string;
  readonly reason?: string;
}

const wordsOf = ({ id, outcome, session = '', reason = '' }: Report): string => {
  switch (outcome) {
    case 'sent':
      return `${id} was sent: session ${session}`;
    case 'refused':
      return `${id} was refused and is kept apart: ${reason}`;
    case 'changed':
      return `${id} was not sent, for its files are others now: ${reason}`;
    case 'waits':
      return `${id} waits: ${reason}`;
  }
};

/** Sends entries one after the other; while the gateway is away none is tried. */
class Sending {
  private away: string | undefined;

  constructor(
    private readonly context: CommandContext,
    private readonly spool: Spool,
    private readonly asTheyAre: boolean,
  ) {}

  async send(entry: SpoolEntry): Promise<Report> {
    const { id } = entry;
    if (this.away !== undefined) return { id, outcome: 'waits', reason: this.away };
    const changes = this.asTheyAre ? [] : await changesOf(entry.files);
    if (changes.length > 0) return { id, outcome: 'changed', reason: changes.join('; ') };
    const tried = await tryEntry(entry, this.context.client);
    if (tried.outcome === 'sent') {
      await this.spool.remove(id);
      return { id, outcome: 'sent', session: tried.session.id };
    }
    const { message, details } = tried.error;
    if (tried.outcome === 'refused') {
      await this.spool.refuse(entry, message, details);
      return { id, outcome: 'refused', reason: message };
    }
    this.away = message;
    return { id, outcome: 'waits', reason: message };
  }
}

/** @throws CliError `notFound` for an id that nothing is kept under */
const named = (
  ids: readonly string[],
  waiting: readonly SpoolEntry[],
  refused: readonly RefusedEntry[],
): SpoolEntry[] =>
  ids.map((id) => {
    const found = waiting.find((entry) => entry.id === id) ?? refused.find(({ entry }) => entry.id === id)?.entry;
    if (found === undefined) throw new CliError(exitCodes.notFound, `The spool holds nothing called ${id}.`);
    return found;
  });

/** The entries that are meant: those that are named, or all that wait for this gateway. */
const wanted = async (
  { client }: CommandContext,
  spool: Spool,
  ids: readonly string[],
): Promise<readonly SpoolEntry[]> => {
  const waiting = await spool.entries();
  if (ids.length === 0) return waiting.filter(({ server }) => server === client.server);
  const entries = named(ids, waiting, await spool.refused());
  const foreign = entries.find(({ server }) => server !== client.server);
  if (foreign === undefined) return entries;
  throw new CliError(exitCodes.usage, `${foreign.id} is for ${foreign.server}, not for ${client.server}.`, [
    `Send it with --server ${foreign.server}`,
  ]);
};

const codeOf = (reports: readonly Report[]): ExitCode => {
  if (reports.some(({ outcome }) => outcome === 'waits')) return exitCodes.server;
  return reports.every(({ outcome }) => outcome === 'sent') ? exitCodes.ok : exitCodes.refused;
};

const send: Action<SendOptions> = async (context, ids, { asTheyAre = false }) => {
  const spool = await Spool.open(context.terminal.stateFolder);
  const sending = new Sending(context, spool, asTheyAre);
  const reports: Report[] = [];
  for (const entry of await wanted(context, spool, ids)) {
    const report = await sending.send(entry);
    reports.push(report);
    if (!context.json) context.terminal.out(`${wordsOf(report)}\n`);
  }
  if (context.json) context.print({ entries: reports }, () => []);
  else if (reports.length === 0) context.terminal.out(`Nothing waits for ${context.client.server}.\n`);
  return codeOf(reports);
};

const drop: Action<object> = async (context, ids) => {
  const spool = await Spool.open(context.terminal.stateFolder);
  const entries = named(ids, await spool.entries(), await spool.refused());
  for (const { id } of entries) await spool.remove(id);
  context.print({ dropped: ids }, () => entries.map((entry) => `${entry.id} is forgotten (${nameOf(entry)})`));
  return exitCodes.ok;
};

export const addSpool = (program: Command, connect: Connect): void => {
  const spool = program
    .command('spool')
    .summary('submissions that wait for their gateway')
    .description(
      'Shows, sends and forgets submissions that were kept while their gateway was away (docs/acquisition.md).',
    )
    .addHelpText('after', '\nExample:\n  phx spool send');
  connect<object>(
    spool
      .command('list')
      .summary('show what waits, and what was refused')
      .addHelpText('after', '\nExample:\n  phx spool list'),
    list,
  );
  connect<SendOptions>(
    spool
      .command('send')
      .summary('send what waits for this gateway')
      .description(
        'Sends what waits, the oldest first. It does no harm to send twice: each submission has its idempotency key. One whose files have changed ' +
          'since is told, and not sent; one that is refused is kept apart with the reason. Exits with 5 while the gateway is away, with 3 if ' +
          'anything was refused or has changed.',
      )
      .argument('[ids...]', 'only these, refused ones too (default: all that wait)')
      .option('--as-they-are', 'also submissions whose files have changed')
      .addHelpText('after', '\nExample:\n  phx spool send'),
    send,
  );
  connect<object>(
    spool
      .command('drop')
      .summary('forget submissions')
      .description(
        'Forgets submissions that wait or were refused. A session that one of them has already started is not touched.',
      )
      .argument('<ids...>', 'as phx spool list shows them')
      .addHelpText('after', '\nExample:\n  phx spool drop 20270114-093012-5fe1a2b3'),
    drop,
  );
};

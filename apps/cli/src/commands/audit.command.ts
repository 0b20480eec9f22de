import { Option, type Command } from 'commander';
import type { QueryOf } from '@fleet/api-client';
import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';
import { routes } from '@fleet/contracts/routes';
import { plainLine } from '@fleet/session-report';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import type { Action, Connect } from '../command-context';
import { addQueryOptions } from './query-options';

const exported = ['jsonl', 'csv'] as const;

interface AuditOptions extends QueryOf<'GET /v1/admin/audit'> {
  readonly export?: (typeof exported)[number];
}

const outcomeText = ({ outcome, code }: AuditEntry): string => (code === undefined ? outcome : `${outcome} (${code})`);

const cells = (entry: AuditEntry): readonly string[] =>
  [
    entry.at.slice(0, 19),
    entry.who === '' ? '-' : entry.who,
    entry.action === '' ? '-' : entry.action,
    entry.object === '' ? '-' : entry.object,
    outcomeText(entry),
    entry.after === undefined ? '' : JSON.stringify(entry.after),
  ].map(plainLine);

const pageLines = ({ entries, damages, nextCursor }: AuditPage): readonly string[] => [
  ...(entries.length === 0
    ? ['No entries.']
    : tableLines([['AT', 'WHO', 'ACTION', 'OBJECT', 'OUTCOME', 'AFTER'], ...entries.map(cells)])),
  ...damages.map(({ file, reason }) => plainLine(`CHANGED after writing: ${file}: ${reason}`)),
  ...(nextCursor === undefined ? [] : [`More entries: --cursor ${nextCursor}`]),
];

const audit: Action<AuditOptions> = async (context, _, options) => {
  const { client, terminal } = context;
  const { who, action, object, since, until, limit, cursor } = options;
  const query = { who, action, object, since, until };
  if (options.export !== undefined) {
    const text = await client.text(`GET /v1/admin/audit.${options.export}`, { query });
    // A terminal shows a carriage return visibly.
    terminal.out(text.replaceAll('\r\n', '\n'));
    return exitCodes.ok;
  }
  const page = await client.json('GET /v1/admin/audit', { query: { ...query, limit, cursor } });
  context.print(page, () => pageLines(page));
  return exitCodes.ok;
};

/** The audit log. */
export const addAudit = (admin: Command, connect: Connect): void => {
  connect<AuditOptions>(
    addQueryOptions(
      admin
        .command('audit')
        .summary('list changes, reads and denials by user, newest first')
        .description(
          'Shows the audit log, and marks files that were changed after writing. With --export all entries are printed, oldest first.',
        ),
      routes.audit.list,
    )
      .addOption(new Option('--export <format>', 'all entries, as JSON lines or a table').choices(exported))
      .addHelpText('after', '\nExample:\n  phx admin audit --who ada --since 2026-11-01'),
    audit,
  );
};

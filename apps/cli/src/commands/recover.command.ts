import type { Command } from 'commander';
import type { BodyOf } from '@fleet/api-client';
import type { RecoveryReport } from '@fleet/contracts/administration';
import { counted, plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { Action, CommandContext, Connect } from '../command-context';

interface RecoverOptions {
  readonly trust?: boolean;
  readonly yes?: boolean;
}

const ask = (context: CommandContext, body?: BodyOf<'POST /v1/recoveries'>): Promise<RecoveryReport> =>
  context.client.json('POST /v1/recoveries', body === undefined ? {} : { body });

const recoveredLines = ({ recovered }: RecoveryReport): readonly string[] =>
  recovered.flatMap(({ id, status, cycle, trusted, missingFiles }) => [
    `recovered ${id}: ${status}, cycle ${String(cycle)}${trusted ? ' (trusted, not authenticated)' : ''}`,
    ...missingFiles.map((file) => `  missing file: ${file}`),
  ]);

const untrustedLines = ({ untrusted }: RecoveryReport): readonly string[] =>
  untrusted.map(
    ({ id, folder, title, status, cycle, reason }) =>
      `NOT authenticated ${id} (${title}; ${status}, cycle ${String(cycle)}) in ${folder}: ${reason}`,
  );

const skippedCount = ({ untrusted, skipped, notListed }: RecoveryReport): number =>
  untrusted.length + skipped.length + notListed;

const closingLines = (report: RecoveryReport): readonly string[] => [
  ...report.skipped.map(({ folder, code, reason }) =>
    code === 'session_file.newer' ? `NEWER ${folder}: ${reason}` : `NOT recovered ${folder}: ${reason}`,
  ),
  ...(report.notListed === 0
    ? []
    : [`and ${counted(report.notListed, 'more folder')} not listed. Repair or trust these, then repeat the command`]),
  `${String(report.recovered.length)} recovered, ${String(report.existing.length)} already in the database, ${String(skippedCount(report))} skipped`,
  ...(report.untrusted.length === 0
    ? []
    : ['If you are sure that these files are unchanged, recover them with phx recover --trust.']),
];

/** Merges the reports of one recovery's requests. */
const together = (first: RecoveryReport, then: RecoveryReport): RecoveryReport => ({
  ...then,
  recovered: [...first.recovered, ...then.recovered],
  existing: then.existing.filter((id) => !first.recovered.some((one) => one.id === id)),
});

const isConfirmed = async (context: CommandContext, report: RecoveryReport, yes: boolean): Promise<boolean> => {
  const { terminal } = context;
  const lines = [
    ...untrustedLines(report),
    `No signature proves that this installation wrote these records (${String(report.untrusted.length)}). Anyone with write access to their folders could have changed their input. Their files and commands are validated again, but this cannot prove that they are those submitted.`,
  ];
  terminal.err(`${lines.map(plainLine).join('\n')}\n`);
  if (yes) return true;
  if (terminal.ask === undefined)
    throw new CliError(exitCodes.usage, 'A confirmation is required, but no terminal is available.', [
      'Nothing was recovered. Run the command in a terminal, or confirm with --yes.',
    ]);
  return (await terminal.ask('Recover them anyway? Type yes: ')).trim().toLowerCase() === 'yes';
};

const trusted = async (context: CommandContext, first: RecoveryReport): Promise<RecoveryReport> => {
  const by = context.terminal.user === '' ? 'an unnamed user' : context.terminal.user;
  const trust = Object.fromEntries(first.untrusted.map(({ id, digest }) => [id, digest]));
  return together(first, await ask(context, { trust, by }));
};

const recover: Action<RecoverOptions> = async (context, _, { trust = false, yes = false }) => {
  if (yes && !trust) throw new CliError(exitCodes.usage, '--yes confirms --trust, which was not given.');
  const first = await ask(context);
  const wanted = trust && first.untrusted.length > 0 && (await isConfirmed(context, first, yes));
  const report = wanted ? await trusted(context, first) : first;
  context.print(report, () =>
    [...recoveredLines(report), ...untrustedLines(report), ...closingLines(report)].map(plainLine),
  );
  return skippedCount(report) === 0 ? exitCodes.ok : exitCodes.refused;
};

export const addRecover = (program: Command, connect: Connect): void => {
  connect<RecoverOptions>(
    program
      .command('recover')
      .summary('rebuild sessions from their folders')
      .description(
        'Rebuilds sessions that are missing in the database from the files in the work folder, and resumes them. Sessions in the database are not changed. Every record is validated. Records that are not signed by this installation, were changed or are unusable are skipped and listed. Exits with 3 if anything was skipped.',
      )
      .option(
        '--trust',
        'also recover records that cannot be authenticated, after listing them and asking (needs FLEET_ADMIN_API)',
      )
      .option('--yes', 'with --trust: do not ask')
      .addHelpText('after', '\nExample:\n  phx recover'),
    recover,
  );
};

import type { Command } from 'commander';
import type { CheckupView, Finding, Trial } from '@fleet/contracts/administration';
import { counted, plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { Action, CommandContext, Connect } from '../command-context';

const levelText = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' } as const;
const colorOf = { ok: 'green', warning: 'yellow', error: 'red' } as const;

const findingLines = ({ paint }: CommandContext, { check, level, seen, why, remedy }: Finding): readonly string[] => [
  `${paint(colorOf[level], levelText[level])}  ${plainLine(`${check}: ${seen}`)}`,
  ...(why === undefined ? [] : [plainLine(`           why: ${why}`)]),
  ...(remedy === undefined ? [] : [plainLine(`           what to do: ${remedy}`)]),
];

const summaryLine = ({ by, findings }: CheckupView): string => {
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
  return plainLine(
    `${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}, ${String(count('ok'))} ok; as seen from ${by}`,
  );
};

interface DoctorOptions {
  readonly pods?: boolean;
}

const pollMs = 1_000;
/** Time limit for an executor to take a trial, in milliseconds: each polls every few seconds. */
const takenWithinMs = 60_000;

/** Requests a trial, and waits for its end. @throws CliError `infrastructureFailed` if no executor takes it */
const trialOf = async ({ client, terminal }: CommandContext): Promise<Trial> => {
  let trial = await client.json('POST /v1/admin/doctor/trial');
  for (let waitedMs = 0; trial.state === 'waiting' || trial.state === 'running'; waitedMs += pollMs) {
    if (trial.state === 'waiting' && waitedMs > takenWithinMs) {
      const text = 'No executor started the trial within a minute. Check that one is running, and read its log.';
      throw new CliError(exitCodes.infrastructureFailed, text);
    }
    await terminal.pause(pollMs);
    trial = (await client.json('GET /v1/admin/doctor/trial')).trial ?? trial;
  }
  return trial;
};

const trialLines = (context: CommandContext, { state, findings, executor }: Trial): readonly string[] =>
  state === 'given_up'
    ? ['The trial was abandoned after 15 minutes. Read the log of the executor.']
    : [...findings.flatMap((one) => findingLines(context, one)), plainLine(`trial by ${executor ?? 'an executor'}`)];

const doctor: Action<DoctorOptions> = async (context, _, { pods }) => {
  // The trial first: the executor checks again after it.
  const trial = pods === true ? await trialOf(context) : undefined;
  const found = await context.client.json('GET /v1/admin/doctor');
  context.print({ ...found, ...(trial !== undefined && { trial }) }, () => [
    ...found.findings.flatMap((one) => findingLines(context, one)),
    ...(trial === undefined ? [] : trialLines(context, trial)),
    summaryLine({ ...found, findings: [...found.findings, ...(trial?.findings ?? [])] }),
  ]);
  const bad = [...found.findings, ...(trial?.findings ?? [])].some(({ level }) => level === 'error');
  return bad || trial?.state === 'given_up' ? exitCodes.infrastructureFailed : exitCodes.ok;
};

/** The doctor. */
export const addDoctor = (admin: Command, connect: Connect): void => {
  connect<DoctorOptions>(
    admin
      .command('doctor')
      .summary('check the site: work volume, PostgreSQL, Redis, clocks, data folders, programs, the cluster')
      .description(
        'Checks the site from the gateway and an executor, and shows for each finding why it matters and what to do. Exits with 8 if an error is found.',
      )
      .option(
        '--pods',
        'also start test pods like programs and show their findings; takes seconds, or minutes if an image must be pulled',
      )
      .addHelpText('after', '\nExample:\n  phx admin doctor --pods'),
    doctor,
  );
};

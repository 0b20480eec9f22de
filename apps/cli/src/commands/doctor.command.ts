import type { Command } from 'commander';
import type { CheckupView, Finding } from '@fleet/contracts';
import { counted, plainLine } from '@fleet/session-report';
import { exitCodes } from '../exit-codes';
import type { Action, CommandContext, Connect } from './command-context';

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

const doctor: Action<object> = async (context) => {
  const found = await context.client.json('GET /v1/admin/doctor');
  context.print(found, () => [...found.findings.flatMap((one) => findingLines(context, one)), summaryLine(found)]);
  return found.findings.some(({ level }) => level === 'error') ? exitCodes.infrastructureFailed : exitCodes.ok;
};

/** What is wrong with a site. */
export const addDoctor = (admin: Command, connect: Connect): void => {
  connect<object>(
    admin
      .command('doctor')
      .summary('check the site: work volume, Redis, clocks, data folders, programs')
      .description(
        'Looks at the site as the gateway sees it, and says of each finding why it matters and what to do. Exits with 8 if there is an error.',
      )
      .addHelpText('after', '\nExample:\n  phx admin doctor'),
    doctor,
  );
};

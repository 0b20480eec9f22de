import type { Command } from 'commander';
import {
  maintenancePhase,
  usualDrainMinutes,
  type MaintenancePhase,
  type MaintenanceWindow,
} from '@fleet/contracts/maintenance';
import { maintenanceSentence, maintenanceSpan, plainLine } from '@fleet/session-report';
import { tableLines } from '../output/table';
import type { Action, Connect } from '../command-context';
import { minutes } from '../read-options';

interface AnnounceOptions {
  readonly from: string;
  readonly until: string;
  readonly text: string;
  readonly drain?: number;
}

const phaseTexts: Readonly<Record<MaintenancePhase, string>> = {
  ahead: 'ahead',
  draining: 'no launches any more',
  underway: 'under way',
  over: 'over',
};

const windowCells = (window: MaintenanceWindow, now: number): readonly string[] => [
  window.id,
  maintenanceSpan(window),
  `${String(window.drainMinutes)} min before`,
  phaseTexts[maintenancePhase(window, now)],
  window.by,
  window.text,
];

const windowLines = (window: MaintenanceWindow): readonly string[] => [
  plainLine(`${window.id}: ${maintenanceSentence(window, Date.now())}`),
];

const announce: Action<AnnounceOptions> = async (context, _, { from, until, text, drain }) => {
  const drainMinutes = drain ?? usualDrainMinutes;
  const body = { from, until, text, drainMinutes, by: context.terminal.user };
  const window = await context.client.json('POST /v1/admin/maintenance', { body });
  context.print(window, () => windowLines(window));
};

const change: Action<Partial<AnnounceOptions>> = async (context, [id = ''], { from, until, text, drain }) => {
  const body = {
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(text !== undefined && { text }),
    ...(drain !== undefined && { drainMinutes: drain }),
    by: context.terminal.user,
  };
  const window = await context.client.json('PUT /v1/admin/maintenance/{id}', { path: { id }, body });
  context.print(window, () => windowLines(window));
};

const list: Action<object> = async (context) => {
  const found = await context.client.json('GET /v1/maintenance');
  context.print(found, () => {
    if (found.windows.length === 0) return ['No maintenance windows.'];
    const rows = found.windows.map((window) => windowCells(window, Date.now()));
    return tableLines([['ID', 'WHEN', 'NO LAUNCHES FROM', 'STATE', 'BY', 'WHAT'], ...rows]);
  });
};

const cancel: Action<object> = async (context, [id = '']) => {
  const window = await context.client.json('POST /v1/admin/maintenance/{id}/cancellation', { path: { id } });
  context.print(window, () => [plainLine(`cancelled: ${maintenanceSpan(window)}: ${window.text}`)]);
};

const example = (text: string): string => `\nExample:\n  phx admin maintenance ${text}`;
const fromOption = ['--from <time>', 'when the work begins (ISO 8601, with Z or a UTC offset)'] as const;
const untilOption = ['--until <time>', 'when it ends'] as const;
const textOption = ['--text <text>', 'what is done, in one sentence for all users'] as const;
const drain = 'minutes before the window without program launches';
const idArgument = ['<id>', 'id, as phx admin maintenance list shows it'] as const;

/** Commands for maintenance windows. */
export const addMaintenance = (admin: Command, connect: Connect): void => {
  const maintenance = admin
    .command('maintenance')
    .summary('maintenance windows: announce, change, list, cancel')
    .description(
      'During a window and its drain time no program is launched. Every page announces the window a week ahead. Launches resume when it is over. Running programs continue.',
    )
    .addHelpText('after', example('list'));
  connect<AnnounceOptions>(
    maintenance
      .command('announce')
      .summary('announce a window')
      .requiredOption(...fromOption)
      .requiredOption(...untilOption)
      .requiredOption(...textOption)
      .option('--drain <minutes>', `${drain} (default: ${String(usualDrainMinutes)})`, minutes)
      .addHelpText(
        'after',
        example(
          'announce --from 2026-12-01T08:00+01:00 --until 2026-12-01T12:00+01:00 --text "the file server is moved"',
        ),
      ),
    announce,
  );
  connect<Partial<AnnounceOptions>>(
    maintenance
      .command('change')
      .summary('extend a window, end it sooner, or move it')
      .description('Omitted options are not changed.')
      .argument(...idArgument)
      .option(...fromOption)
      .option(...untilOption)
      .option(...textOption)
      .option('--drain <minutes>', drain, minutes)
      .addHelpText('after', example('change 01jd7v9s6m2x4k8q0w5c3b1n7r --until 2026-12-01T14:00+01:00')),
    change,
  );
  connect<object>(
    maintenance.command('list').summary('list windows that are not over').addHelpText('after', example('list')),
    list,
  );
  connect<object>(
    maintenance
      .command('cancel')
      .summary('cancel a window; launches resume if it has begun')
      .argument(...idArgument)
      .addHelpText('after', example('cancel 01jd7v9s6m2x4k8q0w5c3b1n7r')),
    cancel,
  );
};

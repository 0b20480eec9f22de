import { Option, type Command } from 'commander';
import {
  sightingsOfOrphan,
  type AdminView,
  type KnownOrphan,
  type LaunchMode,
  type LaunchState,
} from '@fleet/contracts/launches';
import { durationText, maintenanceSpan, plainLine } from '@fleet/session-report';
import { patiently, reconnectionOf } from '../client/session-events';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import { addAdminKeys } from './admin-keys.commands';
import { addAdminBundle } from './bundle.commands';
import type { Action, CommandContext, Connect } from '../command-context';
import { addAudit } from './audit.command';
import { addDeadSteps } from './dead-steps.commands';
import { addDoctor } from './doctor.command';
import { addMaintenance } from './maintenance.commands';
import { addPurge } from './retention.commands';
import { addShadow } from './shadow.command';
import { addShares } from './shares.command';

interface LaunchOptions {
  readonly reason?: string;
  readonly wait?: boolean;
}

const pollMs = 1_000;

const launchText = ({ mode, reason, by, since, maintenance }: LaunchState): string =>
  [
    mode,
    ...(reason === '' ? [] : [`: ${reason}`]),
    ...(by === '' ? [] : [`, by ${by}`]),
    ...(since === '' ? [] : [`, since ${since.slice(0, 19)}`]),
    ...(maintenance === undefined ? [] : [`, for maintenance ${maintenanceSpan(maintenance)}`]),
  ].join('');

const countText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${String(count)}`)
    .join(', ');

const statusLines = ({ launches, runs, runsByClass, runsByProposal, waiting, oldestWaitingSince }: AdminView) => [
  ...tableLines([
    ['launches', launchText(launches)],
    ['running', String(runs)],
    ...(runs === 0 ? [] : [['  by class', countText(runsByClass)] as const]),
    ...(runs === 0 ? [] : [['  by proposal', countText(runsByProposal)] as const]),
    ['waiting', String(waiting)],
    ...(oldestWaitingSince === undefined
      ? []
      : [['  the oldest', `for ${durationText(Date.now() - Date.parse(oldestWaitingSince))}`] as const]),
  ]),
];

const statusOf = (context: CommandContext): Promise<AdminView> => context.client.json('GET /v1/admin/status');

const status: Action<object> = async (context) => {
  const found = await statusOf(context);
  context.print(found, () => statusLines(found));
};

/** Waits until no program is running, or an administrator resumes launches. */
const untilDrained = async (context: CommandContext): Promise<AdminView> => {
  const reconnection = reconnectionOf(context.terminal);
  for (;;) {
    const found = await patiently(context.client, () => statusOf(context), reconnection);
    if (found.runs === 0 || found.launches.mode === 'open') return found;
    await context.terminal.pause(pollMs);
  }
};

const launch =
  (mode: LaunchMode): Action<LaunchOptions> =>
  async (context, _, { reason = '', wait }) => {
    const body = { mode, reason, by: context.terminal.user };
    const state = await context.client.json('PUT /v1/admin/launch', { body });
    if (wait !== true) {
      context.print(state, () => [plainLine(`launches: ${launchText(state)}`)]);
      return exitCodes.ok;
    }
    const found = await untilDrained(context);
    context.print(found, () => statusLines(found));
    return found.runs === 0 ? exitCodes.ok : exitCodes.refused;
  };

const stateOf = ({ sightings, removing }: KnownOrphan): string => {
  if (removing) return 'being removed';
  return sightings >= sightingsOfOrphan ? 'can be removed' : 'seen once';
};

const orphans: Action<{ readonly clean?: boolean }> = async (context, _, { clean }) => {
  const { client } = context;
  const removal = clean === true ? await client.json('POST /v1/admin/orphans/removal') : undefined;
  const found = await client.json('GET /v1/admin/orphans');
  context.print({ ...found, ...removal }, () => {
    if (found.orphans.length === 0) return ['No orphans.'];
    const rows = found.orphans.map((orphan) => [
      orphan.name,
      orphan.owner.proposal,
      orphan.createdAt.slice(0, 19),
      stateOf(orphan),
      orphan.reason,
    ]);
    const note = 'Nothing was changed. Use --clean to remove those that can be removed.';
    return [...tableLines([['RUN', 'PROPOSAL', 'SINCE', 'STATE', 'WHY'], ...rows]), ...(clean === true ? [] : [note])];
  });
};

const reason = (): Option => new Option('--reason <text>', 'the reason in one sentence, shown to users who wait');
const example = (text: string): string => `\nExample:\n  ${text}`;

const addOrphans = (admin: Command, connect: Connect): void => {
  connect<{ clean?: boolean }>(
    admin
      .command('orphans')
      .summary('list and remove runs that belong to no session')
      .description(
        'Lists runs on the backend that belong to no session record. After a loss of the database, run phx recover first: until then, every run is an orphan. An orphan can be removed once it has been seen twice, at least one refresh of the backend apart.',
      )
      .option('--clean', 'remove the orphans that can be removed; without this option nothing is changed')
      .addHelpText('after', example('phx admin orphans --clean')),
    orphans,
  );
};

/** Commands for administrators. */
export const addAdmin = (program: Command, connect: Connect): void => {
  const admin = program
    .command('admin')
    .summary('administration: pause, drain, maintenance, shares, orphans, dead steps, doctor, bundle, shadow, keys')
    .description('Requires a gateway with administration enabled (FLEET_ADMIN_API).')
    .addHelpText('after', example('phx admin status'));
  connect<object>(
    admin
      .command('status')
      .summary('show whether programs are launched, what is running and what is waiting')
      .addHelpText('after', example('phx admin status')),
    status,
  );
  connect<LaunchOptions>(
    admin
      .command('pause')
      .summary('launch no programs until resumed')
      .description('Running programs, decisions and analyses continue; new launches wait.')
      .addOption(reason())
      .option('--wait', 'wait until nothing is running')
      .addHelpText('after', example('phx admin pause --reason "the file server is being moved"')),
    launch('paused'),
  );
  connect<LaunchOptions>(
    admin
      .command('drain')
      .summary('like pause, before stopping or upgrading the service')
      .addOption(reason())
      .option('--wait', 'wait until nothing is running')
      .addHelpText('after', example('phx admin drain --wait')),
    launch('draining'),
  );
  connect<LaunchOptions>(
    admin
      .command('resume')
      .summary('launch programs again')
      .addOption(reason())
      .addHelpText('after', example('phx admin resume')),
    launch('open'),
  );
  addMaintenance(admin, connect);
  addShares(admin, connect);
  addShadow(admin, connect);
  addOrphans(admin, connect);
  addPurge(admin, connect);
  addDeadSteps(admin, connect);
  addDoctor(admin, connect);
  addAdminBundle(admin, connect);
  addAdminKeys(admin, connect);
  addAudit(admin, connect);
};

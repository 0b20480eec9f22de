import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { SessionView, StoredEvent } from '@fleet/contracts/sessions';
import { plainLine, plainLines } from '@fleet/session-report';
import { readBundle, writeBundle, type Bundle, type BundlePart } from '../bundle/bundle-file';
import { gatherBundle } from '../bundle/gather-bundle';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { sessionLines } from '../output/session-lines';
import { tableLines } from '../output/table';
import { eventLines } from '../watch/event-lines';
import { onSession, sessionArgument, type Action, type CommandContext, type Connect } from '../command-context';
import { collect } from '../read-options';

interface BundleOptions {
  readonly output?: string;
  readonly logs: readonly string[];
}

const make: Action<BundleOptions> = async (context, [id], { output, logs }) => {
  const now = new Date();
  const name = `phx-bundle-${id ?? 'fleet'}-${now.toISOString().slice(0, 19).replaceAll(':', '')}.json.gz`;
  const path = resolve(context.terminal.cwd, output ?? name);
  const bundle = await gatherBundle(context, { id, logs }, now);
  await writeBundle(path, bundle);
  const missing = Object.entries(bundle.parts).flatMap(([part, one]) =>
    'missing' in one ? [`${part}: ${one.missing}`] : [],
  );
  context.print({ path, missing }, () => [
    plainLine(path),
    ...missing.map((line) => plainLine(`missing: ${line}`)),
    ...(logs.length === 0 ? ['Service logs are missing. Collect them, and add them with --logs.'] : []),
    'Everything that looks like a key, token or password was removed. Titles, advice, names of people and paths are included: check them with phx bundle show before you send the file.',
  ]);
};

/** The session is optional. */
const makeOf: Action<BundleOptions> = (context, operands, options) =>
  operands.length === 0 ? make(context, operands, options) : onSession(make)(context, operands, options);

const partRow = ([name, part]: readonly [string, BundlePart]): readonly string[] =>
  'missing' in part ? [name, '-', `missing: ${part.missing}`] : [name, String(JSON.stringify(part.value).length), ''];

const valueOf = ({ parts }: Bundle, name: string): unknown => {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  return part !== undefined && 'value' in part ? part.value : undefined;
};

const sessionPart = (bundle: Bundle, { paint }: CommandContext): readonly string[] => {
  const found = valueOf(bundle, 'session');
  if (found === undefined) return [];
  const session = found as SessionView;
  const events = (valueOf(bundle, 'events') ?? []) as readonly StoredEvent[];
  return [
    '',
    ...sessionLines(session, { detail: true, definitions: {}, paint, now: Date.parse(bundle.at) }),
    '',
    ...events.flatMap((event) => eventLines(event, { verbosity: 'normal', paint, folder: session.folder })),
  ];
};

const show: Action<{ readonly part?: string }> = async (context, [file = ''], { part }) => {
  const bundle = await readBundle(resolve(context.terminal.cwd, file));
  if (part === undefined) {
    const { release, at, sessionId = 'the fleet' } = bundle;
    const rows = Object.entries(bundle.parts).map(partRow);
    context.print(bundle, () => [
      plainLine(`${sessionId}, ${at}, by phx ${release}`),
      ...tableLines([['PART', 'CHARACTERS', ''], ...rows]),
      ...sessionPart(bundle, context),
    ]);
    return exitCodes.ok;
  }
  const value = valueOf(bundle, part);
  if (value === undefined)
    throw new CliError(
      exitCodes.notFound,
      `${file} has no part ${part}. It has ${Object.keys(bundle.parts).join(', ')}.`,
    );
  context.print(value, () => [typeof value === 'string' ? plainLines(value) : JSON.stringify(value, null, 2)]);
  return exitCodes.ok;
};

/** Collects diagnostics for a support engineer at another site. */
export const addAdminBundle = (admin: Command, connect: Connect): void => {
  connect<BundleOptions>(
    admin
      .command('bundle')
      .summary('collect diagnostics for the fleet or a session in one file')
      .description(
        'Asks the gateway for health, doctor, dead steps, orphans, shares, programs and counts, and for a session also for its record, events, results, trace, audit entries and the ends of its last logs. ' +
          'Parts that cannot be collected are marked, with the reason. Everything that looks like a key, token or password is removed.',
      )
      .argument('[session]', sessionArgument)
      .option(
        '--logs <path>',
        'add the ends of the services’ logs: a file, or a folder of files, as kubectl logs or journalctl wrote them (repeatable)',
        collect,
        [],
      )
      .option('--output <file>', 'name of the new file (default: phx-bundle-… in this folder)')
      .addHelpText('after', '\nExample:\n  phx admin bundle 01jd7v9s6m2x4k8q0w5c3b1n7r'),
    makeOf,
  );
};

/** Reads a bundle without a service. */
export const addBundle = (program: Command, connect: Connect): void => {
  const bundle = program
    .command('bundle')
    .summary('read a support bundle, without a service')
    .addHelpText('after', '\nExample:\n  phx bundle show phx-bundle-fleet-2026-11-23T120000.json.gz');
  connect<{ part?: string }>(
    bundle
      .command('show')
      .summary('show the content of a support bundle')
      .argument('<file>', 'the bundle')
      .option('--part <name>', 'print one part unchanged')
      .addHelpText('after', '\nExample:\n  phx bundle show bundle.json.gz --part doctor'),
    show,
  );
};

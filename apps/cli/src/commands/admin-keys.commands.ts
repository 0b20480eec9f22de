import { InvalidArgumentError, Option, type Command } from 'commander';
import { accessScopes, principalRoles, type ApiKeyView, type ApiKeyWish } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import type { Action, Connect } from './command-context';

interface CreateOptions {
  readonly owner: string;
  readonly role: ApiKeyWish['role'];
  readonly label?: string;
  readonly proposal?: readonly string[];
  readonly beamline?: readonly string[];
  readonly scope?: ApiKeyWish['scopes'];
  readonly days?: number;
}

const stateOf = ({ revokedAt, expiresAt }: ApiKeyView): string => {
  if (revokedAt !== undefined) return `revoked ${revokedAt.slice(0, 10)}`;
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : `until ${expiresAt.slice(0, 10)}`;
};

const create: Action<CreateOptions> = async (context, _, options) => {
  const { owner, role, label, proposal: proposals, beamline: beamlines, scope: scopes, days } = options;
  const body = { owner, role, label, proposals, beamlines, scopes, expires_in_days: days };
  const made = await context.client.json('POST /v1/admin/keys', { body });
  context.print(made, () => [made.key]);
  if (!context.json)
    context.terminal.err(
      `Key ${made.record.id} of ${owner}, ${stateOf(made.record)}. It is shown this once: keep it where only ${owner} can read it (phx login --key).\n`,
    );
  if (!context.json && made.record.role === 'kiosk')
    context.terminal.err(
      `A screen shows the wall with this link, which is as secret as the key: ${context.client.server.replace(/\/+$/, '')}/ui/wall#key=${made.key}\n`,
    );
  return exitCodes.ok;
};

const list: Action<object> = async (context) => {
  const found = await context.client.json('GET /v1/admin/keys');
  context.print(found, () => {
    if (found.keys.length === 0) return ['No keys: everybody who reaches this gateway may do everything.'];
    const rows = found.keys.map((key) => [
      key.id,
      key.owner,
      key.role,
      [...key.proposals, ...key.beamlines].join(' '),
      key.scopes.join(' '),
      stateOf(key),
      key.lastUsedAt?.slice(0, 16) ?? 'never',
      key.label,
    ]);
    return tableLines([['KEY', 'OWNER', 'ROLE', 'WHERE', 'MAY', 'STATE', 'LAST USED', 'LABEL'], ...rows]);
  });
  return exitCodes.ok;
};

const revoke: Action<object> = async (context, [id = '']) => {
  const revoked = await context.client.json('POST /v1/admin/keys/{id}/revocation', { path: { id } });
  context.print(revoked, () => [plainLine(`key ${revoked.id} of ${revoked.owner}: ${stateOf(revoked)}`)]);
  return exitCodes.ok;
};

const readDays = (text: string): number => {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of days.');
};
const example = (text: string): string => `\nExample:\n  ${text}`;

/** Keys of the API. */
export const addAdminKeys = (admin: Command, connect: Connect): void => {
  const keys = admin
    .command('keys')
    .summary('API keys: create, list, revoke')
    .addHelpText('after', example('phx admin keys list'));
  connect<CreateOptions>(
    keys
      .command('create')
      .summary('make a key, and print it this once')
      .description('The first key must be of the role admin: from then on nobody gets in without a key.')
      .requiredOption('--owner <name>', 'whose key it is: a login name, or the name of a program')
      .addOption(new Option('--role <role>', 'what the owner is').choices(principalRoles).makeOptionMandatory())
      .option('--proposal <name...>', "proposals that the owner belongs to (service: or '*')")
      .option('--beamline <name...>', 'beamlines that the owner works at (staff, kiosk, service)')
      .addOption(
        new Option('--scope <scope...>', 'what it may be used for (default: all of the role)').choices(accessScopes),
      )
      .option('--label <text>', 'what it is for')
      .option('--days <number>', 'days that it is good for (default: 365)', readDays)
      .addHelpText('after', example('phx admin keys create --owner ada --role user --proposal mx1234')),
    create,
  );
  connect<object>(
    keys
      .command('list')
      .summary('list all keys, with those that are revoked or have expired')
      .addHelpText('after', example('phx admin keys list')),
    list,
  );
  connect<object>(
    keys
      .command('revoke')
      .summary('revoke a key for good')
      .argument('<key>', 'the id of the key, as phx admin keys list shows it')
      .addHelpText('after', example('phx admin keys revoke 3f1c9a0b2d4e5f60')),
    revoke,
  );
};

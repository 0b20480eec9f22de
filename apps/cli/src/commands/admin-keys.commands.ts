import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ApiKeyView, ApiKeyRequest } from '@fleet/contracts/access';
import { accessScopes, principalRoles } from '@fleet/contracts/route';
import { plainLine } from '@fleet/session-report';
import { tableLines } from '../output/table';
import type { Action, Connect } from '../command-context';

interface CreateOptions {
  readonly owner: string;
  readonly role: ApiKeyRequest['role'];
  readonly label?: string;
  readonly proposal?: readonly string[];
  readonly beamline?: readonly string[];
  readonly scope?: ApiKeyRequest['scopes'];
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
      `Key ${made.record.id} of ${owner}, ${stateOf(made.record)}. It is shown only once. Store it where only ${owner} can read it (phx login --key).\n`,
    );
  if (!context.json && made.record.role === 'kiosk')
    context.terminal.err(
      `Wall link for a display, as secret as the key:  ${context.client.server.replace(/\/+$/, '')}/ui/wall#key=${made.key}\n`,
    );
};

const list: Action<object> = async (context) => {
  const found = await context.client.json('GET /v1/admin/keys');
  context.print(found, () => {
    if (found.keys.length === 0) return ['No keys: anyone who can reach this gateway has full access.'];
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
};

const revoke: Action<object> = async (context, [id = '']) => {
  const revoked = await context.client.json('POST /v1/admin/keys/{id}/revocation', { path: { id } });
  context.print(revoked, () => [plainLine(`key ${revoked.id} of ${revoked.owner}: ${stateOf(revoked)}`)]);
};

const readDays = (text: string): number => {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number of days.');
};
const example = (text: string): string => `\nExample:\n  ${text}`;

/** Commands for API keys. */
export const addAdminKeys = (admin: Command, connect: Connect): void => {
  const keys = admin
    .command('keys')
    .summary('API keys: create, list, revoke')
    .addHelpText('after', example('phx admin keys list'));
  connect<CreateOptions>(
    keys
      .command('create')
      .summary('create a key and print it once')
      .description('The first key must be of the role admin. Once it exists, every request needs a key.')
      .requiredOption('--owner <name>', 'owner: a login name, or the name of a program')
      .addOption(new Option('--role <role>', 'role of the owner').choices(principalRoles).makeOptionMandatory())
      .option('--proposal <name...>', "proposals that the owner belongs to (service: or '*')")
      .option('--beamline <name...>', 'beamlines that the owner works at (staff, kiosk, service)')
      .addOption(new Option('--scope <scope...>', 'permissions (default: all of the role)').choices(accessScopes))
      .option('--label <text>', 'purpose of the key')
      .option('--days <number>', 'days until it expires (default: 365)', readDays)
      .addHelpText('after', example('phx admin keys create --owner ada --role user --proposal mx1234')),
    create,
  );
  connect<object>(
    keys
      .command('list')
      .summary('list all keys, including revoked and expired ones')
      .addHelpText('after', example('phx admin keys list')),
    list,
  );
  connect<object>(
    keys
      .command('revoke')
      .summary('revoke a key permanently')
      .argument('<key>', 'the id of the key, as phx admin keys list shows it')
      .addHelpText('after', example('phx admin keys revoke 3f1c9a0b2d4e5f60')),
    revoke,
  );
};

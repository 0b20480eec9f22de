import type { PrincipalRole } from '@fleet/contracts/route';

/** The words of the page of the keys. */
export const keyTexts = {
  name: 'Keys',
  refused: {
    title: 'This page is for administrators',
    why: (who: string, role: string) =>
      `You are logged in as ${who} with the role ${role}. Only the role admin can create and revoke keys. Ask an administrator for one.`,
  },
  what: 'A key gives access to the API, phx and this dashboard within its role, proposals and beamlines. Its text is not stored. If a key is lost, create another one.',
  none: 'No keys yet: anyone who can reach this gateway has full access. Once a key exists, every request needs one.',
  owner: 'Owner',
  role: 'Role',
  where: 'Access to',
  may: 'Permissions',
  made: 'Created',
  used: 'Last used',
  state: 'State',
  act: 'Action',
  by: (who: string) => `by ${who}`,
  everywhere: 'everywhere',
  never: 'never',
  good: 'Active',
  until: 'until',
  soon: 'Expires soon',
  expired: 'Expired',
  revoked: 'Revoked',
  over: 'Show expired and revoked keys',
  shown: (count: number) => `${String(count)} ${count === 1 ? 'key' : 'keys'}`,
  find: 'Owner, label or id',
  revoke: {
    open: 'Revoke…',
    openLabel: (owner: string, id: string) => `Revoke key ${id} of ${owner}…`,
    ask: (owner: string) => `Revoke the key of ${owner}?`,
    what: (id: string, label: string) =>
      `Key ${id}${label === '' ? '' : ` (${label})`} becomes invalid at once and permanently. Its owner needs another one.`,
    yours: 'You are logged in with this key. The page will ask you to log in again.',
    button: 'Revoke key',
  },
  make: {
    open: 'Create key…',
    title: 'Create key',
    button: 'Create key',
    leave: 'Cancel',
    list: 'separated by commas',
    scopes: 'Permissions',
    scopesAll: 'All permissions of the role, unless you remove some.',
    days: 'Validity (days)',
    first:
      'The first key must belong to an administrator. Once it exists, every request needs a key. This tab is then logged in with it.',
    meanings: {
      user: 'A member of proposals.',
      staff: 'Supports users at beamlines and views the queues.',
      admin: 'Administers the service with full access.',
      kiosk: 'A wall display, which can read only what the wall shows.',
      service: 'A program of the facility, for example data acquisition.',
    } satisfies Record<PrincipalRole, string>,
  },
  secret: {
    title: (owner: string) => `Key of ${owner}`,
    once: 'The key is shown only once and is not stored. Copy it now and give it only to its owner.',
    key: 'Key',
    link: 'Wall link for a display (as secret as the key)',
    copy: (what: string) => `Copy: ${what}`,
    done: 'I have copied it',
  },
} as const;

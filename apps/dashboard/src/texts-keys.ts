import type { PrincipalRole } from '@fleet/contracts';

/** The words of the page of the keys. */
export const keyTexts = {
  name: 'Keys',
  refused: {
    title: 'This page is for administrators',
    why: (who: string, role: string) =>
      `You are ${who}, and your role is ${role}: keys are made and revoked by the role admin alone. Ask whoever runs the service for one.`,
  },
  what: 'A key opens the API, phx and this dashboard, as far as its role, its proposals and its beamlines reach. Its text is kept nowhere: who has lost it needs another one.',
  none: 'There are no keys: everybody who reaches this gateway may do everything. From the first one on nobody gets in without a key.',
  owner: 'Owner',
  role: 'Role',
  where: 'Where',
  may: 'May',
  made: 'Made',
  used: 'Last used',
  state: 'State',
  act: 'Do',
  by: (who: string) => `by ${who}`,
  everywhere: 'everywhere',
  never: 'never',
  good: 'In use',
  until: 'until',
  soon: 'Ends soon',
  expired: 'Has expired',
  revoked: 'Revoked',
  over: 'Also those that are over',
  shown: (count: number) => `${String(count)} ${count === 1 ? 'key' : 'keys'}`,
  find: 'Owner, label or id',
  revoke: {
    open: 'Revoke…',
    openLabel: (owner: string, id: string) => `Revoke key ${id} of ${owner}…`,
    ask: (owner: string) => `Revoke the key of ${owner}?`,
    what: (id: string, label: string) =>
      `Key ${id}${label === '' ? '' : ` (${label})`} opens nothing from the next request on, for good. Whoever uses it has to be given another one.`,
    yours: 'It is the key that you are logged in with: this page will ask you to log in again.',
    button: 'Revoke for good',
  },
  make: {
    open: 'Make a key…',
    title: 'Make a key',
    button: 'Make the key',
    leave: 'Make none',
    list: 'with commas between them',
    scopes: 'May',
    scopesAll: 'All that the role may, unless you take something away.',
    days: 'Good for, in days',
    first:
      'This is the first key, so it has to be an administrator’s: from then on nobody gets in without one. This tab is logged in with it.',
    meanings: {
      user: 'A member of proposals.',
      staff: 'Helps the visitors of beamlines, and reads the queues.',
      admin: 'Runs the service, and may do everything.',
      kiosk: 'A screen: it reads what a wall shows, and nothing else.',
      service: 'A program of the facility, data acquisition for example.',
    } satisfies Record<PrincipalRole, string>,
  },
  secret: {
    title: (owner: string) => `The key of ${owner}`,
    once: 'It is shown this once, and kept nowhere. Copy it now, and give it to its owner alone.',
    key: 'Key',
    link: 'Link of the wall for a screen; it is as secret as the key',
    copy: (what: string) => `Copy: ${what}`,
    done: 'I have copied it',
  },
} as const;

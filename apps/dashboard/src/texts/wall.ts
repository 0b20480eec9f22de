/** The words of the wall. */
export const wallTexts = {
  name: 'Wall',
  everything: 'All sessions',
  running: 'Running',
  ended: 'Recently ended',
  waiting: 'Longest waiting',
  noneRunning: 'No running programs.',
  noneEnded: 'No session has ended yet.',
  noneWaiting: 'No waiting sessions.',
  oldest: 'oldest',
  cycle: 'cycle',
  of: (first: number, last: number, all: number) => `${String(first)}–${String(last)} of ${String(all)}`,
  queued: (position: number, of: number) => `${String(position)} of ${String(of)} in the queue`,
  stale: (since: string) => `The gateway has not responded since ${since}. The data may be out of date.`,
  link: 'Open a wall display by a link with a key of the role kiosk, which the browser stores. Create one with: phx admin keys create.',
  otherRole: (role: string) =>
    `This link has a key of the role ${role}, which can do more than read. A public display accepts only keys of the role kiosk: phx admin keys create --role kiosk. This browser has deleted the key. Revoke it, because the link exposed it.`,
} as const;

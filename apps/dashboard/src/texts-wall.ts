/** The words of the wall. */
export const wallTexts = {
  name: 'Wall',
  everything: 'All sessions',
  running: 'Running',
  ended: 'Ended lately',
  waiting: 'Waiting longest',
  noneRunning: 'No program runs.',
  noneEnded: 'Nothing has ended yet.',
  noneWaiting: 'Nothing waits.',
  oldest: 'oldest',
  cycle: 'cycle',
  of: (first: number, last: number, all: number) => `${String(first)}–${String(last)} of ${String(all)}`,
  queued: (position: number, of: number) => `${String(position)} of ${String(of)} in the queue`,
  stale: (since: string) => `The gateway has not answered since ${since}: what you see may be out of date.`,
  link: 'A screen is opened by a link with a key of the role kiosk, which is kept by its browser: phx admin keys create.',
  otherRole: (role: string) =>
    `This link has a key of the role ${role}, which can do more than look. A screen that everybody can walk up to takes keys of the role kiosk alone: phx admin keys create --role kiosk. The key was forgotten by this browser; it was shown in a link, so revoke it.`,
} as const;

/** The words of forks. */
export const forkTexts = {
  title: 'Fork a session',
  open: 'Fork from here…',
  openHint: 'A new session continues after this cycle, with other advice or settings. This one stays as it is.',
  from: 'Forked from',
  mark: (session: string, cycle: number) => `Fork after cycle ${String(cycle)} of session ${session}`,
  short: (cycle: number) => `Fork after cycle ${String(cycle)}`,
  after: (cycle: number) => `after cycle ${String(cycle)}`,
  of: 'Continues from',
  what: 'The new session has the cycles up to there and their files. What it begins with is what the other one has now: change what is to be other.',
  counts: 'max cycles counts all cycles, from the first one on.',
  none: 'Open a finished cycle of a session, and choose “Fork from here…”.',
  send: (cycle: number) => `Fork after cycle ${String(cycle)}`,
} as const;

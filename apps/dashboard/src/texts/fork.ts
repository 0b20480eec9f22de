/** The words of forks. */
export const forkTexts = {
  title: 'Fork a session',
  open: 'Fork from here…',
  openHint: 'A new session continues after this cycle, with different advice or settings. This session is unchanged.',
  from: 'Forked from',
  mark: (session: string, cycle: number) => `Fork after cycle ${String(cycle)} of session ${session}`,
  short: (cycle: number) => `Fork after cycle ${String(cycle)}`,
  after: (cycle: number) => `after cycle ${String(cycle)}`,
  of: 'Continues from',
  what: 'The new session starts with the cycles up to this point and their files. Its advice and settings are copied from the original. Change them below.',
  counts: 'max cycles includes the copied cycles.',
  none: 'Open a finished cycle of a session and choose “Fork from here…”.',
  send: (cycle: number) => `Fork after cycle ${String(cycle)}`,
} as const;

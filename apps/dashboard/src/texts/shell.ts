/** Texts that surround every page: navigation and failures to load. */
export const shellTexts = {
  product: 'phenix-fleet',
  sessions: 'Sessions',
  batches: 'Batches',
  submit: 'Submit',
  open: 'Open gateway: no login required',
  logout: 'Log out',
  dark: 'Dark colours',
  light: 'Light colours',
  skip: 'Skip to the content',
  notFound: 'Page not found',
  notFoundWhy: 'This URL leads to no page. Choose one above.',
} as const;

export const failureTexts = {
  title: 'Loading failed',
  unreachable: 'The gateway does not respond. The page retries automatically.',
  again: 'Try again',
} as const;

export const askingTexts = { leave: 'Keep unchanged', close: 'Close' } as const;

export const priorityTexts = {
  label: 'Priority',
  means: {
    live: 'live: during the experiment, if the site allows it',
    standard: 'standard',
    backfill: 'backfill: only if nothing else is waiting',
  },
} as const;

export const liveTexts = {
  connecting: 'Connecting',
  live: 'Live',
  polling: 'Polling',
  stale: 'Stale since',
} as const;

export const liveMeanings = {
  connecting: 'Waiting for the first response of the gateway.',
  live: 'Current data. Changes appear immediately.',
  polling: 'No event stream is available. The page polls every few seconds.',
  stale: 'The gateway does not respond. The data are from that time and may be out of date.',
} as const;

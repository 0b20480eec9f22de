/** The words of the pages of batches. */

const rowsOf = (count: number): string => `${String(count)} row${count === 1 ? '' : 's'}`;

export const batchTexts = {
  title: 'Batches',
  back: 'All batches',
  proposal: 'Proposal',
  nothing: 'No batches yet. Create one with: phx batch submit rows.csv',
  none: 'This proposal has no batches.',
  notFound: 'Batch not found. It does not exist, or it belongs to a proposal of which you are not a member.',
  untitled: 'Batch without a title',
  columns: { title: 'Batch', rows: 'Rows', progress: 'Outcomes', state: 'Progress', made: 'Created' },
  shown: (count: number) => `${String(count)} batch${count === 1 ? '' : 'es'}`,
  first: 'First page',
  next: 'Next page',
  facts: { proposal: 'Proposal', submitter: 'Submitted by', made: 'Created', rows: 'Rows', status: 'Status' },
  status: { open: 'open', paused: 'paused', cancelled: 'cancelled' },
  sessions: 'Sessions of this batch',
  csv: 'Table (CSV)',
  act: {
    pause: {
      open: 'Pause',
      ask: 'Pause this batch?',
      what: (count: number) => `${rowsOf(count)} will not start until the batch is resumed. Running sessions continue.`,
      button: 'Pause the batch',
    },
    resume: {
      open: 'Resume',
      ask: 'Resume this batch?',
      what: (count: number) => `${rowsOf(count)} will start.`,
      button: 'Resume the batch',
    },
    cancel: {
      open: 'Cancel…',
      ask: 'Cancel this batch?',
      what: (count: number) =>
        `${rowsOf(count)} will be cancelled: waiting rows do not start, and running sessions stop. A cancelled batch cannot be resumed. Existing files are kept.`,
      button: 'Cancel the batch',
    },
    retry: {
      open: 'Retry failed rows…',
      ask: 'Retry failed rows?',
      what: (count: number) => `${rowsOf(count)} failed or were rejected. Each runs again as a new session.`,
      button: (count: number) => `Retry ${rowsOf(count)}`,
    },
    retried: (count: number) => `${rowsOf(count)} retried.`,
  },
  priority: {
    open: 'Priority…',
    ask: 'Change the priority of this batch?',
    what: 'Rows that have not started get the new priority. Existing sessions keep theirs.',
    button: 'Change priority',
  },
  views: { hits: 'Hit list', failures: (count: number) => `Failures ${String(count)}` },
  grid: 'Datasets by outcome',
  gridMore: (count: number) => `and ${String(count)} more`,
  gridHint: 'Each square is a dataset and links to its session. Arrow keys move between squares.',
  distributions: 'Distributions',
  distribution: (what: string, count: number, numbers: readonly [least: string, median: string, most: string]) =>
    `${what} of ${String(count)} datasets: ${numbers[0]} to ${numbers[2]}, median ${numbers[1]}`,
  datasets: 'datasets',
  nothingMeasured: 'Nothing has been measured yet.',
  resolution: 'Resolution (Å)',
  hits: {
    row: 'Row',
    title: 'Dataset',
    outcome: 'State',
    fit: 'R-work / R-free or CC',
    ligand: 'Ligand, CC',
    omit: (value: string) => `omit map ${value}`,
    notInModel: 'not in the model',
    ligandSummary: (inModel: boolean, seen: number | undefined, of: number | undefined) =>
      [
        inModel ? 'The model contains it' : 'The model does not contain it',
        ...(seen === undefined || of === undefined
          ? []
          : [`${String(seen)} of its ${String(of)} atoms are in density`]),
      ].join('; '),
    resolution: 'Å',
    spaceGroup: 'Space group',
    program: 'Program',
    cycle: 'Cycle',
    sorted: 'sorted',
    noSession: 'no session',
    all: 'all rows',
    only: 'Only',
    page: (page: number, of: number) => `Page ${String(page)} of ${String(of)}`,
    none: 'No row matches this filter.',
  },
  failures: {
    none: 'Nothing has failed.',
    rows: rowsOf,
    show: 'Show rows',
    row: (row: number) => `row ${String(row)}`,
    more: (count: number) => `and ${String(count)} more`,
  },
} as const;

/** The words of the pages of batches. */

const rowsOf = (count: number): string => `${String(count)} row${count === 1 ? '' : 's'}`;

export const batchTexts = {
  title: 'Batches',
  back: 'All batches',
  proposal: 'Proposal',
  nothing: 'There is no batch yet. Make one with: phx batch submit rows.csv',
  none: 'There is no batch of this proposal.',
  notFound: 'There is no such batch, or it is of a proposal that you are not a member of.',
  untitled: 'Batch without a title',
  columns: { title: 'Batch', rows: 'Rows', progress: 'Its outcome', state: 'How far it is', made: 'Made' },
  shown: (count: number) => `${String(count)} batch${count === 1 ? '' : 'es'}`,
  first: 'First page',
  next: 'Next page',
  facts: { proposal: 'Proposal', submitter: 'Submitted by', made: 'Made', rows: 'Rows', status: 'Status' },
  status: { open: 'open', paused: 'paused', cancelled: 'cancelled' },
  sessions: 'Its sessions in the list',
  csv: 'Table (CSV)',
  act: {
    pause: {
      open: 'Pause',
      ask: 'Pause this batch?',
      what: (count: number) =>
        `No more rows are started: ${rowsOf(count)} are not sessions yet. Sessions that run continue.`,
      button: 'Pause the batch',
    },
    resume: {
      open: 'Resume',
      ask: 'Continue with this batch?',
      what: (count: number) => `${rowsOf(count)} that are not sessions yet will be started.`,
      button: 'Resume the batch',
    },
    cancel: {
      open: 'Cancel…',
      ask: 'Cancel this batch?',
      what: (count: number) =>
        `${rowsOf(count)} are not over: none of them is started, and what runs is ended. A cancelled batch cannot continue. What was made is kept.`,
      button: 'Cancel the batch',
    },
    retry: {
      open: 'Run failed again…',
      ask: 'Run failed rows again?',
      what: (count: number) => `${rowsOf(count)} were rejected or failed; each runs again as a new session.`,
      button: (count: number) => `Run ${rowsOf(count)} again`,
    },
    leave: 'Leave it as it is',
    close: 'Close',
    retried: (count: number) => `${rowsOf(count)} run again.`,
  },
  priority: {
    open: 'Priority…',
    ask: 'Give this batch another priority?',
    what: 'Rows that are not sessions yet start with it. Those that are sessions already keep theirs.',
    button: 'Give it this priority',
  },
  views: { hits: 'Hit list', failures: (count: number) => `Failures ${String(count)}` },
  grid: 'Datasets by outcome',
  gridMore: (count: number) => `and ${String(count)} more`,
  gridHint: 'Each square is a dataset: it leads to its session. Arrow keys go from one to the next.',
  distributions: 'Distributions',
  distribution: (what: string, count: number, numbers: readonly [least: string, median: string, most: string]) =>
    `${what} of ${String(count)} datasets: ${numbers[0]} to ${numbers[2]}, half of them up to ${numbers[1]}`,
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
    ligandTold: (inModel: boolean, seen: number | undefined, of: number | undefined) =>
      [
        inModel ? 'The model holds it' : 'The model does not hold it',
        ...(seen === undefined || of === undefined
          ? []
          : [`${String(seen)} of its ${String(of)} atoms lie in density`]),
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
    none: 'No row is like this.',
  },
  failures: {
    none: 'Nothing has failed.',
    rows: rowsOf,
    show: 'Show them',
    row: (row: number) => `row ${String(row)}`,
    more: (count: number) => `and ${String(count)} more`,
  },
} as const;

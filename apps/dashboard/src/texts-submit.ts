/** The words of the pages from which is submitted. */

const filesOf = (count: number): string => `${String(count)} file${count === 1 ? '' : 's'}`;

export const submitTexts = {
  title: 'Submit',
  one: 'One dataset',
  many: 'A manifest of many',
  again: {
    of: 'Submits again what was submitted as',
    what: 'It becomes a session of its own, which begins at its first cycle: files, ligands, settings and advice are those the session has now, and can be changed here.',
    directives: 'Directives, which a program has sent with it, are not copied.',
  },
  folders: {
    title: 'Files',
    top: 'Data folders',
    above: 'One folder up',
    open: (name: string) => `Open ${name}`,
    pick: (name: string) => `Take ${name}`,
    all: 'Show every file',
    others: (count: number) => `${filesOf(count)} with another ending ${count === 1 ? 'is' : 'are'} not shown`,
    empty: 'This folder is empty.',
    leftOut: (count: number) =>
      `${String(count)} left out: ${count === 1 ? 'a link that leads' : 'links that lead'} out of the data folders, or no plain file`,
    more: 'The folder holds more than is looked at. Sort its files into folders, or use phx submit with the path.',
    next: 'Show more',
  },
  picked: {
    title: (count: number) => `What is submitted: ${filesOf(count)}`,
    none: 'Pick the data and, where there are any, a model, a sequence and the dictionaries of ligands.',
    remove: (name: string) => `Take ${name} out`,
    categories: 'classified as',
    notRead: 'not looked into yet',
  },
  fields: {
    title: 'Title',
    titleHint: 'name of the first file',
    proposal: 'Proposal',
    beamline: 'Beamline',
    advice: 'Advice in plain words',
    adviceHint: 'For example: use data to 2.0 Å, refine twice and stop',
  },
  ligands: {
    title: 'Ligands without a file',
    what: 'phenix.elbow makes restraints for each of them before the fit. If a ligand has a dictionary (CIF), pick that among the files instead.',
    codes: 'Codes',
    codesHint: 'of the Chemical Component Dictionary, separated by blanks',
    smiles: 'SMILES',
    smilesHint:
      'one per line; a blank and an id of 3 to 5 capital letters and digits may follow (default: LIG). No language model sees them.',
  },
  advice: {
    title: 'What is understood',
    none: 'Whatever you write is read by rules, and what was understood stands here while you type.',
    nothing: 'Nothing was understood: the session runs as one without advice.',
    words: (words: string) => `“${words}”`,
    notFollowed: (words: string, why: string) => `Not followed: “${words}”: ${why}`,
    notRead: (words: string, why: string) => `Not read: “${words}”: ${why}`,
  },
  settings: {
    title: 'Settings',
    changed: (count: number) => `${String(count)} changed`,
    hint: (said: string) => `by default ${said}`,
    yes: 'yes',
    no: 'no',
    empty: 'none',
    list: 'names, with commas between them',
  },
  reading: {
    title: 'What will happen',
    looking: 'The files are being looked into…',
    wrong: (count: number) => `${String(count)} thing${count === 1 ? ' is' : 's are'} wrong`,
    right: 'Everything is valid.',
    unused: (count: number) => `${filesOf(count)} of what is submitted ${count === 1 ? 'is' : 'are'} used for nothing.`,
    first: 'It begins with',
    stops: 'It would end at once',
    unknown: 'Which command comes first cannot be said yet: no executor has told which programs there are.',
  },
  send: 'Submit',
  manifest: {
    hint: 'One row for each dataset: CSV, TSV, YAML or JSON lines. The first line of a CSV names its columns: files, title, ligands.code, ligands.smiles, advice, settings.max_cycles and so on.',
    drop: 'Drop a manifest here, or choose a file',
    dropped: (name: string, rows: number) => `${name}: ${String(rows)} line${rows === 1 ? '' : 's'}`,
    tooLarge: 'This file is too large to be corrected here (1 MB). Send it with: phx batch submit',
    text: 'The manifest',
    base: 'Folder at which relative paths begin',
    check: 'Check every row',
    send: (count: number) => `Submit ${String(count)} row${count === 1 ? '' : 's'}`,
    title: 'Title of the batch',
    checking: (done: number, of: number) => `${String(done)} of ${String(of)} rows have been looked at`,
    checked: (right: number, wrong: number) =>
      wrong === 0
        ? `${right === 1 ? 'The row is' : `All ${String(right)} rows are`} valid.`
        : `${String(right)} row${right === 1 ? ' is' : 's are'} valid, ${String(wrong)} ${wrong === 1 ? 'is' : 'are'} not.`,
    changed: 'The manifest has changed since it was checked.',
    again: 'Check the rows again before you submit them.',
    only: 'Rows that are rejected start no session; the others do.',
    columns: { row: 'Row', line: 'Line', verdict: 'Verdict', says: 'What it would run first, or what is wrong' },
    toLine: (line: number) => `Go to line ${String(line)}`,
    earlier: {
      everything: 'The same was submitted before:',
      data: 'The same data were submitted before:',
    },
    none: 'There is no row in it.',
  },
} as const;

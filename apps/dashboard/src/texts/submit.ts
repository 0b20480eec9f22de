/** The words of the pages from which is submitted. */

const filesOf = (count: number): string => `${String(count)} file${count === 1 ? '' : 's'}`;

export const submitTexts = {
  title: 'Submit',
  one: 'One dataset',
  many: 'Many datasets',
  again: {
    of: 'Resubmission of',
    what: 'This creates a new session that starts at its first cycle. Files, ligands, settings and advice are copied from the original and can be changed here.',
    directives: 'Directives sent by a program are not copied.',
  },
  folders: {
    title: 'Files',
    top: 'Data folders',
    above: 'Parent folder',
    open: (name: string) => `Open ${name}`,
    pick: (name: string) => `Add ${name}`,
    all: 'Show every file',
    others: (count: number) => `${filesOf(count)} with another ending ${count === 1 ? 'is' : 'are'} not shown`,
    empty: 'This folder is empty.',
    skipped: (count: number) =>
      `${String(count)} skipped: ${count === 1 ? 'a link' : 'links'} out of the data folders, or not a regular file`,
    more: 'The folder contains more entries than can be listed. Move its files into subfolders, or use phx submit with the path.',
    next: 'Show more',
  },
  picked: {
    title: (count: number) => `Selected: ${filesOf(count)}`,
    none: 'Select the data and, if available, a model, a sequence and ligand dictionaries.',
    remove: (name: string) => `Remove ${name}`,
    categories: 'classified as',
    notRead: 'not read yet',
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
    what: 'phenix.elbow generates restraints for each ligand before the fit. If you have a dictionary (CIF), add it to the files instead.',
    codes: 'Codes',
    codesHint: 'from the Chemical Component Dictionary, separated by spaces',
    smiles: 'SMILES',
    smilesHint:
      'One per line, optionally with a space and an id of 3 to 5 capital letters and digits (default: LIG). They are not sent to language models.',
  },
  advice: {
    title: 'Understood advice',
    none: 'Rules interpret your advice. The result appears here while you type.',
    nothing: 'Nothing was understood. The session runs as if without advice.',
    words: (words: string) => `“${words}”`,
    notFollowed: (words: string, why: string) => `Not followed: “${words}”: ${why}`,
    notRead: (words: string, why: string) => `Not read: “${words}”: ${why}`,
  },
  settings: {
    title: 'Settings',
    changed: (count: number) => `${String(count)} changed`,
    hint: (value: string) => `default: ${value}`,
    yes: 'yes',
    no: 'no',
    empty: 'none',
    list: 'names, separated by commas',
  },
  reading: {
    title: 'Preview',
    looking: 'Reading the files…',
    wrong: (count: number) => `${String(count)} problem${count === 1 ? '' : 's'}`,
    right: 'Everything is valid.',
    unused: (count: number) => `${filesOf(count)} ${count === 1 ? 'is' : 'are'} not used.`,
    first: 'First program',
    stops: 'Immediate stop',
    unknown: 'The first command is unknown because no executor has reported its programs yet.',
  },
  send: 'Submit',
  manifest: {
    hint: 'One row for each dataset: CSV, TSV, YAML or JSON lines. The first line of a CSV names its columns: files, title, ligands.code, ligands.smiles, advice, settings.max_cycles and so on.',
    drop: 'Drop a manifest here, or choose a file',
    dropped: (name: string, rows: number) => `${name}: ${String(rows)} line${rows === 1 ? '' : 's'}`,
    tooLarge: 'This file is too large to edit here (limit: 1 MB). Submit it with: phx batch submit',
    text: 'Manifest',
    base: 'Base folder of relative paths',
    check: 'Check rows',
    send: (count: number) => `Submit ${String(count)} row${count === 1 ? '' : 's'}`,
    title: 'Batch title',
    checking: (done: number, of: number) => `${String(done)} of ${String(of)} rows checked`,
    checked: (right: number, wrong: number) =>
      wrong === 0
        ? `${right === 1 ? 'The row is' : `All ${String(right)} rows are`} valid.`
        : `${String(right)} row${right === 1 ? ' is' : 's are'} valid, ${String(wrong)} ${wrong === 1 ? 'is' : 'are'} not.`,
    changed: 'The manifest has changed since it was checked.',
    again: 'Check the rows again before you submit them.',
    only: 'Rejected rows start no session. All other rows do.',
    columns: { row: 'Row', line: 'Line', state: 'State', says: 'First command or problem' },
    toLine: (line: number) => `Go to line ${String(line)}`,
    earlier: {
      everything: 'Earlier identical submission:',
      data: 'Earlier submission of the same data:',
    },
    none: 'The manifest has no rows.',
  },
} as const;

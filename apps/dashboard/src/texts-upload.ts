/** The words of what is uploaded from one's own computer. */

export const uploadTexts = {
  pick: 'Upload…',
  drop: 'or drop files of your own computer here',
  limit: (size: string, hours: number) =>
    `Up to ${size} each. After a reload pick the same file again and it continues, within ${String(hours)} hour${hours === 1 ? '' : 's'}.`,
  list: 'Uploads',
  progress: (name: string) => `Upload of ${name}`,
  states: {
    waiting: 'waits for its turn',
    paused: 'paused',
    login: 'continues once you have logged in',
    checking: 'is read for its checksum',
    sending: 'is being sent',
    offline: 'The gateway does not answer, or has no time now. It is tried again, and continues from here.',
  },
  unchecked: (size: string) =>
    `Above ${size} no checksum is sent, for the file would have to be read twice: the gateway compares its size alone.`,
  of: (done: string, size: string) => `${done} of ${size}`,
  pause: 'Pause',
  goOn: 'Continue',
  again: 'Try again',
  cancel: 'Cancel',
  doTo: (act: string, name: string) => `${act}: ${name}`,
  complete: (names: string, count: number) => `${names} ${count === 1 ? 'is' : 'are'} uploaded and picked.`,
  noProposal: 'Name the proposal first: uploaded files are kept by proposal.',
  empty: (name: string) => `${name} is empty, or a folder: only files with something in them can be uploaded.`,
  tooLarge: (name: string, size: string, most: string) =>
    `${name} has ${size}; at most ${most} can be uploaded here. Copy it to the data folders instead.`,
  unreadable: (why: string) =>
    `The browser cannot read the file: it is a folder, or was moved or changed after it was picked (${why}). Pick it again.`,
  noWorker: 'The part of the page that computes checksums could not be loaded. Reload the page.',
  refused: 'The gateway did not take the file.',
} as const;

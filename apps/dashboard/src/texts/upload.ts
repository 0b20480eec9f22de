/** The words of what is uploaded from one's own computer. */

export const uploadTexts = {
  pick: 'Upload…',
  drop: 'or drop files from your computer here',
  limit: (size: string, hours: number) =>
    `Up to ${size} each. To resume after a reload, select the same file again within ${String(hours)} hour${hours === 1 ? '' : 's'}.`,
  list: 'Uploads',
  progress: (name: string) => `Upload of ${name}`,
  states: {
    waiting: 'queued',
    paused: 'paused',
    login: 'continues after login',
    checking: 'computing checksum',
    sending: 'uploading',
    offline: 'The gateway does not respond or is busy. The upload retries automatically and continues from here.',
  },
  unchecked: (size: string) =>
    `Files above ${size} are sent without a checksum, which would require reading them twice. The gateway compares only their size.`,
  of: (done: string, size: string) => `${done} of ${size}`,
  pause: 'Pause',
  resume: 'Continue',
  again: 'Try again',
  cancel: 'Cancel',
  doTo: (act: string, name: string) => `${act}: ${name}`,
  complete: (names: string, count: number) => `${names} ${count === 1 ? 'is' : 'are'} uploaded and selected.`,
  noProposal: 'Enter the proposal first. Uploaded files are stored by proposal.',
  empty: (name: string) => `${name} is empty or a folder. Only files with content can be uploaded.`,
  tooLarge: (name: string, size: string, most: string) =>
    `${name} has ${size}. At most ${most} can be uploaded here. Copy it to the data folders instead.`,
  unreadable: (why: string) =>
    `The browser cannot read the file: it is a folder, or it was moved or changed after selection (${why}). Select it again.`,
  noWorker: 'The checksum module could not be loaded. Reload the page.',
  refused: 'The gateway rejected the file.',
} as const;

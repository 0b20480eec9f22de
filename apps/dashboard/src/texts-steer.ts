/** The words with which somebody takes part in a session. */

export const steerTexts = {
  label: 'What you can do',
  advise: 'Change the advice',
  adviseEnded: 'Advise and continue',
  resume: 'Continue as it is',
  resumeHint: 'It decides on its next cycle, with the files, advice and settings that it has.',
  cancel: 'Cancel…',
  priority: 'Priority…',
  again: 'Submit again with changes',
  title: 'Advice',
  counts: {
    running: 'It takes effect at the next decision. What runs now is not disturbed.',
    ended:
      'The session has ended: advice that says something new opens it again, and it continues with its next cycle.',
    cancelling: 'The session is being cancelled: its advice can be changed once it has ended.',
  },
  send: { running: 'Send the advice', ended: 'Send, and let it continue' },
  instead: 'Send mine instead of theirs',
  leave: 'Leave it as it is',
  discard: 'Discard my changes',
  changed: (revision: number) =>
    `Somebody has changed the advice while you wrote: it has revision ${String(revision)} now. What you have typed was not sent, and is kept below.`,
  theirs: 'Theirs',
  none: 'no advice',
  sent: {
    running: 'Sent. It takes effect at the next decision.',
    ended: 'Sent. The session continues with its next cycle.',
    same: 'Nothing has changed: the same was asked for already.',
  },
} as const;

/** Texts of steering a session: advice, priority and cancellation. */

export const steerTexts = {
  label: 'Actions',
  advise: 'Change advice',
  adviseEnded: 'Change advice and resume',
  resume: 'Resume unchanged',
  resumeHint: 'The session continues with its next cycle and its current files, advice and settings.',
  cancel: 'Cancel…',
  priority: 'Priority…',
  again: 'Resubmit with changes',
  title: 'Advice',
  counts: {
    running: 'Changes take effect at the next decision. The running program is not affected.',
    ended: 'The session has ended. New advice resumes it with its next cycle.',
    cancelling: 'The session is being cancelled. Its advice can be changed once it has ended.',
  },
  send: { running: 'Send advice', ended: 'Send and resume' },
  instead: 'Replace their advice',
  leave: 'Keep unchanged',
  discard: 'Discard my changes',
  changed: (revision: number) =>
    `Another user changed the advice while you were typing. It is now revision ${String(revision)}. Your text was not sent and is kept below.`,
  theirs: 'Their advice',
  none: 'no advice',
  sent: {
    running: 'Sent. It takes effect at the next decision.',
    ended: 'Sent. The session continues with its next cycle.',
    same: 'Nothing has changed: this advice was already set.',
  },
} as const;

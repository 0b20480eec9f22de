/** Texts of how long a session is kept. */
export const retentionTexts = {
  label: 'Retention',
  pin: 'Pin',
  unpin: 'Unpin',
  ask: 'Pin this session',
  what: 'No retention rule deletes a pinned session or its files. A deletion on request still does.',
  reason: 'Reason',
  reasonHint: 'One sentence, shown with the session',
  cancel: 'Cancel',
} as const;

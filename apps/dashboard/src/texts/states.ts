/** Labels and meanings of the states of sessions and rows, and of the stages of a cycle. */
export const stateTexts = {
  waiting: {
    label: 'Waiting',
    meaning: 'Its next program waits for a slot, or its next decision for a language model',
  },
  starting: { label: 'Starting', meaning: 'Submitted; the first program is being chosen' },
  running: { label: 'Running', meaning: 'Its cycles continue' },
  cancelling: { label: 'Cancelling', meaning: 'Its program is being stopped' },
  solved: { label: 'Solved', meaning: 'Its metrics indicate a solved structure' },
  goal_reached: { label: 'Goal reached', meaning: 'The requested work is done' },
  unfinished: {
    label: 'Unfinished',
    meaning: 'It ended, for example at a limit, before it reached the quality that the data allow',
  },
  unsatisfactory: {
    label: 'Unsatisfactory',
    meaning: 'It completed, but the result is far from what the data allow',
  },
  failed_science: { label: 'No solution', meaning: 'No structure was found with these files and settings' },
  failed_infrastructure: {
    label: 'Infrastructure failure',
    meaning: 'A machine or the service failed. The data are not the cause',
  },
  rejected: { label: 'Rejected', meaning: 'The submission cannot be processed. No program was run' },
  cancelled: { label: 'Cancelled', meaning: 'Cancelled on request. Existing files are kept' },
  unknown: {
    label: 'Undetermined',
    meaning: 'It ended without an error, and no metric shows whether the structure is solved',
  },
  checked: { label: 'Valid', meaning: 'The row is valid. It was not started' },
  to_come: { label: 'Pending', meaning: 'This row has not been checked yet' },
  duplicate: { label: 'Duplicate', meaning: 'The row was submitted before, and this batch skips duplicates' },
} as const;

export const stageTexts: Readonly<Record<string, string>> = {
  deciding: 'choosing a program',
  executing: 'running',
  analysing: 'reading the log',
};

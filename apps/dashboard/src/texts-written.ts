/** English words around a text that the rules write at once, and a model when it is asked. */
export interface WrittenWords {
  /** Absent where what it stands below says it. */
  readonly title?: string;
  readonly byRules: string;
  readonly byModel: (model: string, target: string) => string;
  readonly opinion: string;
  readonly older: string;
  readonly legend: string;
  readonly marked: string;
  readonly noneMarked: string;
  readonly ask: string;
  readonly askAgain: string;
  readonly hint: string;
  readonly waiting: string;
  readonly waitingMeanwhile: string;
  readonly failed: string;
  readonly stands: string;
  readonly noModel: string;
  readonly rulesOnly: string;
  readonly answered: string;
}

const ofBoth = {
  byModel: (model: string, target: string) => `Written by the model ${model} of ${target}`,
  opinion: 'Read it as an opinion: a right number can stand in a wrong sentence.',
  older: 'The session has moved on since then.',
  ask: 'Ask a model',
  askAgain: 'Ask a model again',
  waiting: 'A model was asked, and has not answered yet:',
  waitingMeanwhile: 'Until it has, here is what the rules say. You may leave this page.',
  stands: 'Below is what the rules say.',
  rulesOnly: 'The settings of this session leave all to the rules: no model is asked about it.',
  answered: 'The model has answered.',
} as const;

/** Of what a session is worth. */
export const assessmentTexts = {
  ...ofBoth,
  tab: 'Assessment',
  title: 'What the session is worth',
  byRules: 'Written by the rules, of the session as it is now.',
  legend: 'A number marked so is none of the session’s: the model made it up, or reckoned it.',
  marked: 'not a number of this session',
  noneMarked: 'Every number of the text was found in the session.',
  hint: 'A model of the site writes all five parts, from what the rules say, the numbers of each cycle and the words of the submitter.',
  failed: 'No model has assessed it:',
  noModel: 'No model was asked: this site has none that assesses sessions. Below is what stood there before.',
} as const satisfies WrittenWords & { readonly tab: string };

/** Of what the log of a cycle says. */
export const logSummaryTexts = {
  ...ofBoth,
  open: 'What its log says',
  byRules: 'Written by the rules, of what the analysis has read in the log.',
  legend: 'A number marked so was not found in the log: the model made it up, or reckoned it.',
  marked: 'not found in this log',
  noneMarked: 'Every number of the text was found in the log.',
  hint: 'A model of the site sums the log up, from what the analysis has read and the first and last lines of the log.',
  failed: 'No model has summed it up:',
  noModel: 'No model was asked: this site has none that sums up logs. Below is what stood there before.',
} as const satisfies WrittenWords & { readonly open: string };

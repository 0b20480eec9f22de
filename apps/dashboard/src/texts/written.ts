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
  opinion: 'Treat it as an opinion: a correct number can appear in a wrong sentence.',
  older: 'The session has continued since then.',
  ask: 'Ask a model',
  askAgain: 'Ask a model again',
  waiting: 'A model was asked and has not answered yet:',
  waitingMeanwhile: 'Meanwhile, this is the text of the rules. You can leave this page.',
  stands: 'The text of the rules is below.',
  rulesOnly: 'The settings of this session allow only rules: no model is asked.',
  answered: 'The model has answered.',
} as const;

/** Of what a session is worth. */
export const assessmentTexts = {
  ...ofBoth,
  tab: 'Assessment',
  title: 'Session assessment',
  byRules: 'Written by the rules from the current session.',
  legend: 'Marked numbers are not in the session: the model invented or computed them.',
  marked: 'not a number of this session',
  noneMarked: 'Every number of the text was found in the session.',
  hint: 'A model of the site writes all five parts from the text of the rules, the metrics of each cycle and the advice of the submitter.',
  failed: 'No model has assessed the session:',
  noModel: 'No model was asked because this site has none that assesses sessions. The previous text is below.',
} as const satisfies WrittenWords & { readonly tab: string };

/** Of what the log of a cycle says. */
export const logSummaryTexts = {
  ...ofBoth,
  open: 'Log summary',
  byRules: 'Written by the rules from the analysis of the log.',
  legend: 'Marked numbers are not in the log: the model invented or computed them.',
  marked: 'not found in this log',
  noneMarked: 'Every number of the text was found in the log.',
  hint: 'A model of the site summarises the log from the analysis and the first and last lines of the log.',
  failed: 'No model has summarised the log:',
  noModel: 'No model was asked because this site has none that summarises logs. The previous text is below.',
} as const satisfies WrittenWords & { readonly open: string };

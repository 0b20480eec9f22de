/** The summary of a session, and the quality of its best model: from its record, its files and the rule book. Pure. */
export { assessmentFacts, type AssessmentFacts } from './assessment-facts';
export { assessmentByRules } from './assessment-by-rules';
export { logNumbers, logSummaryByRules } from './log-summary-by-rules';
export { fileText } from './summary-input';
export { ligandOf } from './ligand-of';
export { fitOf, measuredOn } from './measured-on';
export { summaryMarkdown } from './summary-markdown';

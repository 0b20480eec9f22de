/** What the API answers with, made from records: for the gateway, and for whoever shows the same without asking it. */
export { toAssessmentView, toLogSummaryView } from './assessment-view';
export { toAdminView } from './admin-view';
export { toEventsView } from './events-view';
export { toProgramsView } from './programs-view';
export { toResultsView, type BestFile } from './results-view';
export { toTraceView } from './trace-view';
export { outputFiles, servedInputs, sessionPath, toSessionView } from './session-view';
export { auditCsvHeader, auditCsvLine } from './audit-csv';
export { batchCsvHeader, batchCsvLine } from './batch-csv';
export { batchPath, sessionOfRow, toBatchPriority, toBatchResult, toBatchRow, toBatchView } from './batch-view';
export { statisticsCsv } from './statistics-csv';

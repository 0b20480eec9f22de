/** Views of records for the API: for the gateway, and for clients that compute them without a request. */
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

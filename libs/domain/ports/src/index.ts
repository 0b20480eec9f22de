export { AUDIT_LOG, type AuditFilter, type AuditLog } from './audit-log.port';
export { MEMBER_ANSWERS, type MemberAnswers } from './member-answers.port';
export { RATE_LIMITS, type RateLimits, type Taken } from './rate-limits.port';
export { ACCESS_KEY_FILES, ACCESS_KEYS, KEY_USES, type AccessKeys, type KeyUses } from './access-keys.port';
export { LOGIN_STORE, type LoginStore } from './login-store.port';
export {
  SESSION_RECORDS,
  type AdvanceResult,
  type AdviseResult,
  type Advising,
  type NewSession,
  type NextPosition,
  type Prioritising,
  type PrioritiseResult,
  type Reopening,
  type ReopenResult,
  type SessionRecords,
  type Transition,
} from './session-records.port';
export { STEP_SCHEDULE, type StepSchedule } from './step-schedule.port';
export { FAILED_JOBS, type FailedJob, type FailedJobs } from './failed-jobs.port';
export { QUEUED_JOBS, type JobRange, type QueuedJob, type QueuedJobs, type QueueState } from './queued-jobs.port';
export { SESSION_EVENTS, type SessionEvents } from './session-events.port';
export { SESSION_FEED, type FeedPage, type SessionFeed } from './session-feed.port';
export {
  SESSION_INDEX,
  type SessionFilter,
  type SessionGroup,
  type SessionIndex,
  type SessionName,
  type ValueRange,
} from './session-index.port';
export {
  SESSION_RETENTION,
  type BegunPurge,
  type DataOwner,
  type RetainedPage,
  type RetainedSession,
  type SessionRetentionRecords,
} from './session-retention.port';
export { STATISTICS, type SessionStatistics } from './statistics.port';
export { PROGRAM_CATALOGUES, type ProgramCatalogues } from './program-catalogues.port';
export {
  type ExecutionBackend,
  type InventoryEntry,
  type BackendSite,
  type RunInventory,
  type RunLocation,
  type RunState,
} from './execution-backend.port';
export {
  READABLE_BY,
  type FolderName,
  type ReadableBy,
  type ReadableFiles,
  type ReadablePath,
} from './readable-files.port';
export { SESSION_WAKER, type SessionWaker } from './session-waker.port';
export { FILE_INSPECTOR, type FileInspector, type FileOrigin } from './file-inspector.port';
export { CLOCK, isoTime, systemClock, type Clock } from './clock.port';
export {
  SESSION_FOLDER,
  type Authenticity,
  type PlannedFork,
  type ReadSession,
  type SessionFolderPort,
} from './session-folder.port';
export { SITE_LOOKS, trialWaitsMs, type SiteLooks, type WantedTrial } from './site-looks.port';
export { allWell, CHECKUPS, finding, levelOf, medianOf, type Advice, type Checkup } from './checkup.port';
export type { HealthProbe, HealthReport } from './health-probe.port';
export { TEXT_REQUESTS, type TextRequest, type TextRequests, type TextSubject } from './text-requests.port';
export {
  ASSESSMENTS,
  LOG_SUMMARIES,
  type Assessments,
  type LogSummaries,
  type Numbered,
  type Writings,
} from './writings.port';
export { MODEL_BREAKER, type ModelBreaker, type TargetSign } from './model-breaker.port';
export { MODEL_INQUIRIES, type ModelInquiries, type ModelInquiry } from './model-inquiries.port';
export {
  MODEL_LEDGER,
  type ModelBudgets,
  type ModelLedger,
  type ModelSpending,
  type ModelWork,
  type Reservation,
  type ReservedRequest,
} from './model-ledger.port';
export { MODEL_REPLIES, type StoredReply, type ModelReplies } from './model-replies.port';
export type {
  ModelAnswer,
  ModelFailure,
  ModelMessage,
  ModelPrice,
  ModelReply,
  ModelRequest,
  ModelTarget,
  ModelUsage,
} from './model-target.port';
export { LAUNCH_CONTROL, type LaunchControl } from './launch-control.port';
export { ORPHAN_REGISTER, type Orphan, type OrphanRegister } from './orphan-register.port';
export { OWED_FILES, type OwedFile, type OwedFiles } from './owed-files.port';
export { SHARES_CONTROL, type SharesControl } from './shares-control.port';
export {
  RUN_SLOTS,
  type RunCensus,
  type RunSlots,
  type SlotAnswer,
  type WaitKind,
  type QueueSnapshot,
} from './run-slots.port';
export {
  BATCH_RECORDS,
  type AddedRows,
  type BatchRecords,
  type BatchesPage,
  type ClaimedRows,
  type NewRow,
  type RowOutcome,
  type RowResult,
  type StoredRow,
} from './batch-records.port';
export {
  DELIVERIES,
  isSent,
  WEBHOOK_FILES,
  WEBHOOKS,
  type ClaimedDeliveries,
  type ClaimLimits,
  type Deliveries,
  type Delivery,
  type Failure,
  type KeptWebhooks,
  type MessagePost,
  type NotSent,
  type OpenedWebhook,
  type OutgoingMessage,
  type Sending,
  type DeliveryContent,
  type WebhookFiles,
  type Webhooks,
} from './webhooks.port';
export { METRICS, reading, unmeasured, type Metrics, type Reading } from './metrics.port';
export {
  TRACING,
  untraced,
  type OpenSpan,
  type SpanFacts,
  type SpanEnd,
  type SpanStart,
  type Tracing,
} from './tracing.port';
export {
  UPLOAD_FILES,
  UPLOAD_STORE,
  type IncomingFile,
  type UploadChange,
  type UploadFiles,
  type UploadStore,
} from './uploads.port';
export { beginningOf } from './beginning';
export { storeCalls } from './store-calls';
export { timeCursor } from './time-cursor';
export { isAfter, parseEventId } from './event-id';
export { CANCEL_DUE_MS, CANCELLING, nextWord, transitionLine } from './transition-line';
export { asSaid, openLaunches, windowsAhead } from './launch-state';
export { dayOf, isoOf } from './moments';

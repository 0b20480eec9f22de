export {
  auditEntrySchema,
  auditOutcomes,
  auditPageSchema,
  type AuditEntry,
  type AuditOutcome,
  type AuditPage,
} from './audit';

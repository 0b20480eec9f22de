export { auditEntrySchema, type AuditEntry, type AuditOutcome, type AuditPage } from './audit';

export {
  mostPurged,
  retentionRulesSchema,
  type DeletionReport,
  type DeletionRequest,
  type FolderPurge,
  type Pin,
  type PurgeReport,
  type PurgeRequest,
  type RetentionHold,
  type RetentionRule,
  type SessionRetention,
} from './retention';
export { endsBeforeFolder, keptUntil, retentionRuleText, shortestRetentionMs, type KeptUntil } from './retention-times';
export { checkedBatchMs, rowsToDo, standsStill } from './batch-retention';

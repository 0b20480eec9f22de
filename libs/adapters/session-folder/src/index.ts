/** SessionFolderPort over a work root: `<work root>/<proposal>/<session id>`. */
export { SessionFolder } from './session-folder';
export { AssessmentFolder, LogSummaryFolder } from './writing-folder';
export { AuditFolder } from './audit/audit-folder';
export { ModelReplyFolder } from './model-reply-folder';
export { readInstallationKeys } from './installation-keys';
export { SessionFolderModule } from './session-folder.module';
export { UploadFolder } from './uploads/upload-folder';
export { WorkRootCheckup } from './work-root.checkup';
export { WorkVolume } from './work-volume';
export { WorkRootProbe } from './work-root.probe';

/** SessionFolderPort over a work root: `<work root>/<proposal>/<session id>`. */
export { SessionFolder } from './session-folder';
export { SessionFolderModule } from './session-folder.module';
export { isProposalName, sessionFolderPath } from './folder-names';

export { filesThatFit } from './files-that-fit';
export { inFolderSync, throughFoldersSync } from './in-folder';
export { openRegular, openRegularSync } from './open-regular';
export { openUnder } from './open-under';
export { readWhole, readWholeSync, readWholeUnder } from './read-whole';
export { isInside } from './is-inside';
export { identityOf, pinDifference, pinOf, type FileIdentity } from './file-pin';
export { shownPath } from './shown-path';
export { changeOfError } from './change-words';

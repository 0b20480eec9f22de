/** The commands of uploads. They know ports only and throw Faults. */
export type { UploadOrder } from './begin-upload';
export { findUpload, noUpload } from './find-upload';
export { viewOf } from './upload-ports';
export { Uploads } from './uploads';

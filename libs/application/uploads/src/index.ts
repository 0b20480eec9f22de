/** The commands of uploads. They depend only on ports and throw Faults. */
export type { UploadOrder } from './begin-upload';
export { findUpload, noUpload } from './find-upload';
export { viewOf } from './upload-ports';
export { Uploads } from './uploads';

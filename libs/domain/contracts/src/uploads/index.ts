export {
  chunkType,
  incomingFolder,
  isUploadName,
  uploadNameAllowed,
  uploadSchema,
  uploadRequestSchema,
  type Upload,
  type UploadRules,
  type UploadView,
  type UploadRequest,
} from './uploads';

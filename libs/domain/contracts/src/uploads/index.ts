export {
  chunkType,
  incomingFolder,
  isUploadName,
  uploadNameAllowed,
  uploadRulesSchema,
  uploadSchema,
  uploadViewSchema,
  uploadRequestSchema,
  type Upload,
  type UploadRules,
  type UploadView,
  type UploadRequest,
} from './uploads';

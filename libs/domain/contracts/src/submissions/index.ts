export {
  folderViewSchema,
  submissionReadingSchema,
  type FolderEntry,
  type FolderView,
  type SubmissionReading,
} from './folders';

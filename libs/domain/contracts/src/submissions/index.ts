export { type FolderEntry, type FolderView, type SubmissionReading } from './folders';

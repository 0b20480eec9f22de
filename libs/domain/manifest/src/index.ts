/** Manifests of batches: rows from CSV, YAML and JSON lines, and their submissions. Pure; the bytes are read elsewhere. */
export { columnNames } from './csv-columns';
export { readFolderPattern, type FolderPattern, type PatternPart } from './folder-pattern';
export { readListedRow } from './read-value';
export type { ManifestEntry, ManifestRow } from './manifest-row';
export { manifestFormats, readManifest, type ManifestFormat } from './read-manifest';
export { submissionOfRow, textWith, type RowSubmission, type RowTemplate } from './row-submission';

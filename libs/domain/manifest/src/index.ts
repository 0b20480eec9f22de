/** Manifests of batches: rows out of CSV, YAML and JSON lines, and the submissions that they stand for. Pure: whoever has the bytes reads them. */
export { columnNames } from './csv-columns';
export { readFolderPattern, type FolderPattern, type PatternPart } from './folder-pattern';
export { readListedRow } from './read-value';
export type { ManifestEntry, ManifestRow } from './manifest-row';
export { manifestFormats, readManifest, type ManifestFormat } from './read-manifest';
export { submissionOfRow, textWith, type RowSubmission, type RowTemplate } from './row-submission';

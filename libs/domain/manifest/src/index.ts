/** Manifests of batches: rows from CSV, YAML and JSON lines, and their submissions. Pure; the bytes are read elsewhere. */
export { readFolderPattern, type FolderPattern, type PatternPart } from './folder-pattern';
export { readListedRow } from './read-value';
export type { ManifestEntry, ManifestRow } from './manifest-row';
export { readManifest, type ManifestFormat } from './read-manifest';
export { submissionOfRow, textWith, type RowTemplate } from './row-submission';

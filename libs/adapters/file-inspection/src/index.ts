/** Reads what files are: adapters of the FileInspector port, here or in threads, and the listing of what a program left. */
export { ContentFileInspector } from './content-file-inspector';
export { ownScript, PooledFileInspector, type PoolLimits } from './pooled-file-inspector';
export { listOutputs, type OutputListing, type OutputRank } from './output-listing';

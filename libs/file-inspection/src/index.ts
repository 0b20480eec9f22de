/** Reads what files are: an adapter of the FileInspector port, and the listing of what a program left. */
export { ContentFileInspector } from './content-file-inspector';
export { listOutputs, type OutputListing } from './output-listing';

/** Reads what files are with gemmi, as the FileInspector port; and lists what a program left. */
export { GemmiFileInspector, startedInspector, type ReaderLimits } from './gemmi-file-inspector';
export { listOutputs, type OutputListing, type OutputRank } from './output-listing';

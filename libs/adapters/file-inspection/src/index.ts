/** Classifies files with gemmi, as the FileInspector port, and lists a program's output files. */
export { GemmiFileInspector, startedInspector, type ReaderLimits } from './gemmi-file-inspector';
export { listOutputs, type OutputListing, type OutputRank } from './output-listing';

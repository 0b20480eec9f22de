export { describeSession, type DescribedSession } from './describe-session';
export { experimentOf } from './experiment-type';
export { openMenu, STOP, type Menu, type OfferedProgram, type Refusal } from './menu';
export { sanityIssues, type SanityIssue } from './sanity';
export { shouldStopAfter, stopOfEmptyMenu } from './stops';
export { componentsOf } from './facts/ligand-facts';
export { scientificCycles, type FilesView, type SessionPicture, type WorkflowInput } from './workflow-input';

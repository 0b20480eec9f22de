/**
 * The commands of sessions: submit, fork, resume, cancel, advise, reprioritize, remove cycles. They depend only on ports and throw Faults.
 */
export { readableFor } from './request/check-inputs';
export { checkPriority } from './request/check-priority';
export { isPathProblem } from './request/inspect-files';
export { ListFolder } from './request/list-folder';
export { readDirectives } from './request/read-directives';
export { readSettings } from './request/read-settings';
export { findHead, findSession, noSession } from './session/find-session';
export { findCycle, findFinishedCycle, idOfName, knownCycle, rowOfName } from './session/named-session';
export { FolderFollower } from './session/folder-follower';
export type { SessionKnowledge, SessionPorts } from './session/session-ports';
export { ForkSession } from './start/fork-session';
export { ReadSubmission, type FirstSteps } from './start/read-submission';
export { newSessionId, sessionIdOfKey } from './start/session-id';
export { similarSessions, stands } from './start/similar-sessions';
export { readSubmissionBody } from './start/submission-body';
export { checkSubmitter } from './start/submitted-by';
export { startSubmission, SubmitSession } from './start/submit-session';
export { RequestedTexts, type RequestedText } from './texts/requested-texts';
export { CancelSession } from './change/cancel-session';
export { ChangeAdvice } from './change/change-advice';
export { ChangeSessionPriority } from './change/change-session-priority';
export { RemoveLastCycles } from './change/remove-last-cycles';
export { ResumeSession } from './change/resume-session';

/** All problems of a request, collected, so that the client gets them at once. */
export { problemCodes, type ProblemCode } from './problem-codes';
export { ProblemList, refuseProblems } from './problem-list';
export { collectBody, isRecord, readBody } from './read-body';

/** What is wrong with a request, collected, so that whoever sends it reads all of it at once. */
export { problemCodes, type ProblemCode } from './problem-codes';
export { ProblemList, refuseProblems } from './problem-list';
export { collectBody, isRecord, readBody } from './read-body';

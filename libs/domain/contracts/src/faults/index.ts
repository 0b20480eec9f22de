export {
  errnoOf,
  failureText,
  Fault,
  isFault,
  isPassing,
  isTransient,
  type FaultKind,
  type FieldProblem,
} from './fault';
export { readRetryAfter } from './retry-after';

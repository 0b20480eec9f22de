/** Threads that do costly work with limits of time and memory: the one pool of the project. */
export { ThreadPool, type ThreadPoolOptions } from './thread-pool';
export { ThreadFailure, type FailureReason } from './thread-failure';
export type { ThreadLimits, ThreadScript } from './pool-thread';
export { serveTasks } from './serve-tasks';

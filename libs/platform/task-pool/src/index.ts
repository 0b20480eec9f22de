/** Costly work with limits of time and memory, in threads or in processes: the project's single pool. */
export { TaskPool, type TaskPoolOptions } from './task-pool';
export { TaskFailure, type FailureReason } from './task-failure';
export { threadsOf, type ThreadScript } from './pool-thread';
export { processesOf } from './pool-process';
export { serveTasks } from './serve-tasks';

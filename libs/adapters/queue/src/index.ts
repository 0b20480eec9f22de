export { HandlesJob, type JobHandler } from './handles-job.decorator';
export { JobProducer, type JobLookup, type JobState } from './job-producer';
export { QueueLagProbe } from './queue-lag.probe';
export { QueuedFailures } from './queued-failures';
export { QueuedWakeUps } from './queued-wake-ups';
export { QueueModule, QueueWorkerModule } from './queue.module';
export { StepsProbe } from './steps.probe';
export { Sweeper } from './sweeper';
export { WakeUps } from './wake-ups';

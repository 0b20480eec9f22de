export { beginProcess } from './begin-process';
export { endOnFailure } from './end-of-process';
export { FleetLogger } from './fleet-logger';
export { HealthModule } from './health.module';
export { MetricsModule } from './metrics.module';
export { ProcessMetrics } from './process-metrics';
export { runWorker } from './run-worker';

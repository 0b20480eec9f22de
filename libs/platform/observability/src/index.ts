export { beginProcess } from './begin-process';
export { endOnFailure } from './end-of-process';
export { FleetLogger } from './fleet-logger';
export { HealthModule } from './health.module';
export { HealthService } from './health.service';
export { runWorker } from './run-worker';

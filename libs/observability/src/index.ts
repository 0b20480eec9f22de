export { endOnFailure, endOnUnhandled } from './end-of-process';
export { FleetLogger } from './fleet-logger';
export { HealthModule } from './health.module';
export { HealthService } from './health.service';
export { runWorker } from './run-worker';
export { startLogger } from './start-logger';

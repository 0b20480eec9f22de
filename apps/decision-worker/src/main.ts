import 'reflect-metadata';
import { runWorker } from '@fleet/observability';
import { DecisionWorkerModule } from './decision-worker.module';

void runWorker('decision-worker', DecisionWorkerModule);

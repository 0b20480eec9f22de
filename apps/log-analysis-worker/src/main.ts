import 'reflect-metadata';
import { runWorker } from '@fleet/observability';
import { LogAnalysisWorkerModule } from './log-analysis-worker.module';

void runWorker('log-analysis-worker', LogAnalysisWorkerModule);

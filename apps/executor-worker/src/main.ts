import 'reflect-metadata';
import { runWorker } from '@fleet/observability';
import { ExecutorModule } from './executor.module';

void runWorker('executor-worker', ExecutorModule.forRoot());

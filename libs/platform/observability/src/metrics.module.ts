import { METRICS } from '@fleet/ports';
import { Global, Module } from '@nestjs/common';
import { ProcessMetrics } from './process-metrics';

/** The metrics of this process: METRICS for code that measures, ProcessMetrics for code that serves them. */
@Global()
@Module({
  providers: [ProcessMetrics, { provide: METRICS, useExisting: ProcessMetrics }],
  exports: [ProcessMetrics, METRICS],
})
export class MetricsModule {}

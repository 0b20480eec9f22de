import type { HealthProbe } from '@fleet/ports';
import { Module, type DynamicModule, type InjectionToken } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthListener } from './health-listener';
import { HEALTH_PROBES, HealthService } from './health.service';
import { MetricsModule } from './metrics.module';

/** Reports the health and the metrics of this process. */
@Module({})
export class HealthModule {
  /**
   * For an application that serves its own health: only /metrics on FLEET_HEALTH_PORT. Needs HealthConfig from
   * ConfigModule.
   */
  static forGateway(): DynamicModule {
    return { module: HealthModule, imports: [MetricsModule], providers: [HealthListener] };
  }

  /**
   * For a worker: health and metrics on FLEET_HEALTH_PORT. Needs HealthConfig from ConfigModule.
   * @param probes tokens of probes that global modules provide, for example RedisProbe and StepsProbe
   */
  static forWorker(probes: readonly InjectionToken<HealthProbe>[]): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false }), MetricsModule],
      providers: [
        {
          provide: HEALTH_PROBES,
          inject: [...probes],
          useFactory: (...found: readonly HealthProbe[]): readonly HealthProbe[] => found,
        },
        HealthService,
        HealthListener,
      ],
    };
  }
}

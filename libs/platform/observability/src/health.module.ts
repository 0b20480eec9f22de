import type { HealthProbe } from '@fleet/ports';
import { Module, type DynamicModule, type InjectionToken, type Provider } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthListener } from './health-listener';
import { HEALTH_PROBES, HealthService } from './health.service';

/** Reports whether this process can do its work. */
@Module({})
export class HealthModule {
  /**
   * For an application with an HTTP interface: it gets HealthService and answers itself.
   * @param probes tokens of probes that global modules provide, for example RedisProbe and QueueLagProbe
   */
  static forRoot(probes: readonly InjectionToken<HealthProbe>[]): DynamicModule {
    return moduleWith(probes, []);
  }

  /** For a worker: also listens on FLEET_HEALTH_PORT. Needs HealthConfig from ConfigModule. */
  static forWorker(probes: readonly InjectionToken<HealthProbe>[]): DynamicModule {
    return moduleWith(probes, [HealthListener]);
  }
}

const moduleWith = (probes: readonly InjectionToken<HealthProbe>[], more: readonly Provider[]): DynamicModule => ({
  module: HealthModule,
  imports: [TerminusModule.forRoot({ logger: false })],
  providers: [
    {
      provide: HEALTH_PROBES,
      inject: [...probes],
      useFactory: (...found: readonly HealthProbe[]): readonly HealthProbe[] => found,
    },
    HealthService,
    ...more,
  ],
  exports: [HealthService],
});

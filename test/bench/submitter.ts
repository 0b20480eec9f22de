import { ConfigModule, DatabaseConfig, HealthConfig, RedisConfig, StepConfig, SweeperConfig } from '@fleet/config';
import { QueueModule } from '@fleet/queue';
import { RedisModule } from '@fleet/redis';
import { StoreModule } from '@fleet/store';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

@Module({
  imports: [
    ConfigModule.forRoot([DatabaseConfig, RedisConfig, StepConfig, SweeperConfig, HealthConfig]),
    StoreModule.forRoot(),
    RedisModule.forRoot(),
    QueueModule.forRoot(),
  ],
})
class SubmitterModule {}

/** The part of a gateway that stores sessions and wakes their steps, with the configuration of this process. */
export const startSubmitter = (): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(SubmitterModule);

import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NestApplicationContextOptions } from '@nestjs/common/interfaces/nest-application-context-options.interface.js';
import { beginProcess } from './begin-process';
import { endOnFailure } from './end-of-process';
import type { FleetLogger } from './fleet-logger';

/**
 * Starts and runs a worker process: logging, draining on SIGTERM and SIGINT, and a clear error if it cannot start. A
 * configuration error ends the process with code 78, any other failure with 1.
 * @param service name in every log line, for example `decision-worker`
 */
export const runWorker = async (
  service: string,
  module: Type | DynamicModule,
): Promise<INestApplicationContext | undefined> => {
  const logger = beginProcess(service);
  try {
    const app = await NestFactory.createApplicationContext(module, startOptions(logger));
    app.enableShutdownHooks();
    logger.log({ message: `${service} is ready`, pid: process.pid });
    return app;
  } catch (error) {
    return endOnFailure(logger, service, error);
  }
};

const startOptions = (logger: FleetLogger): NestApplicationContextOptions =>
  Object.assign(new NestApplicationContextOptions(), { logger, abortOnError: false });

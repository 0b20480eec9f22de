import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { RunEndings } from './execute/run-endings.service';
import { ProgramCatalogueService } from './programs/program-catalogue.service';
import { Upkeep } from './upkeep/upkeep.service';

/**
 * Starts the executor's background tasks, and stops them before queues and connections close. Programs keep running.
 */
@Injectable()
export class ExecutorLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    @Inject(ProgramCatalogueService) private readonly catalogue: ProgramCatalogueService,
    @Inject(RunEndings) private readonly endings: RunEndings,
    @Inject(Upkeep) private readonly upkeep: Upkeep,
  ) {}

  onApplicationBootstrap(): void {
    this.catalogue.start();
    this.endings.start();
    this.upkeep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.catalogue.stop();
    await this.upkeep.stop();
    await this.endings.stop();
  }
}

import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { RunEndings } from './execute/run-endings.service';
import { ProgramCatalogueService } from './programs/program-catalogue.service';

/** Starts what the executor does by itself, and stops it before queues and connections close. Programs run on. */
@Injectable()
export class ExecutorLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    @Inject(ProgramCatalogueService) private readonly catalogue: ProgramCatalogueService,
    @Inject(RunEndings) private readonly endings: RunEndings,
  ) {}

  onApplicationBootstrap(): void {
    this.catalogue.start();
    this.endings.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.catalogue.stop();
    await this.endings.stop();
  }
}

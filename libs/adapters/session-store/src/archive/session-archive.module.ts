import { ArchiveConfig } from '@fleet/config';
import {
  ARCHIVE_FOLDER,
  BATCH_RECORDS,
  CLOCK,
  SESSION_ARCHIVE,
  type ArchiveFolder,
  type BatchRecords,
  type Clock,
  type SessionArchive,
} from '@fleet/ports';
import {
  Inject,
  Injectable,
  Logger,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchArchiver } from './batch-archiver';
import { SessionArchiver } from './session-archiver';

const DAY_MS = 86_400_000;

/** Archives sessions and batches again and again, unless all are kept. An error never ends it. */
@Injectable()
class ArchiveLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('SessionArchive');
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();

  constructor(
    @Inject(SESSION_ARCHIVE) private readonly archive: SessionArchive,
    @Inject(ARCHIVE_FOLDER) private readonly folder: ArchiveFolder,
    @Inject(BATCH_RECORDS) private readonly batches: BatchRecords,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ArchiveConfig) private readonly config: ArchiveConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.retentionDays > 0) this.loop = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    const retentionMs = this.config.retentionDays * DAY_MS;
    const sessions = new SessionArchiver({
      archive: this.archive,
      folder: this.folder,
      retentionMs,
      onError: (sessionId, error) => {
        this.logger.error({ message: 'a session could not be archived; it stays in Redis', sessionId, ...said(error) });
      },
    });
    const batches = new BatchArchiver({
      batches: this.batches,
      archive: this.archive,
      clock: this.clock,
      retentionMs,
      onError: (batchId, error) => {
        this.logger.error({ message: 'a batch could not be archived; it stays as it is', batchId, ...said(error) });
      },
    });
    for (;;) {
      await this.pause();
      if (this.stopping.signal.aborted) return;
      await this.look('sessions', sessions);
      await this.look('batches', batches);
    }
  }

  private async look(what: 'sessions' | 'batches', archiver: { look(): Promise<number> }): Promise<void> {
    try {
      const archived = await archiver.look();
      if (archived > 0) this.logger.log({ message: `archived ${what}`, archived });
    } catch (error) {
      this.logger.error({ message: `${what} cannot be archived now`, ...said(error) });
    }
  }

  /** Half to one and a half intervals, so that copies do not march in step. */
  private async pause(): Promise<void> {
    const ms = this.config.intervalMs * (0.5 + Math.random());
    await sleep(ms, undefined, { signal: this.stopping.signal }).catch((error: unknown) => {
      if (!this.stopping.signal.aborted) throw error;
    });
  }
}

const said = (error: unknown): { readonly reason: string } => ({
  reason: error instanceof Error ? error.message : String(error),
});

/** Archiving, in every worker. Needs ArchiveConfig, SESSION_ARCHIVE from SessionStoreModule and ARCHIVE_FOLDER from SessionFolderModule. */
@Module({ providers: [ArchiveLoop] })
export class SessionArchiveModule {}

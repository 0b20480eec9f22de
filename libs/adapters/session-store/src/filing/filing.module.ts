import {
  Injectable,
  Logger,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { RedisStore } from '../redis-store';

/** Between two looks while there is nothing to do, and after an error. */
const IDLE_MS = 600_000;

/** Files sessions again and again. An error never ends it. */
@Injectable()
class FilingLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('IndexFiling');
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly store: RedisStore) {}

  onApplicationBootstrap(): void {
    this.loop = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) if (!(await this.looked())) await this.pause();
  }

  /** Whether there may be more. */
  private async looked(): Promise<boolean> {
    try {
      return (await this.store.filing.look()) > 0;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.error({ message: 'the indexes of sessions cannot be completed now', reason });
      return false;
    }
  }

  private async pause(): Promise<void> {
    await sleep(IDLE_MS * (0.5 + Math.random()), undefined, { signal: this.stopping.signal }).catch(
      (error: unknown) => {
        if (!this.stopping.signal.aborted) throw error;
      },
    );
  }
}

/** Completes the indexes of sessions that an older release has written. Needs SessionStoreModule. */
@Module({ providers: [FilingLoop] })
export class FilingModule {}

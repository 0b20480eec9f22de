import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { failureText } from '@fleet/contracts';
import { UPLOAD_PARTS, type UploadParts } from './upload-parts';

/** Milliseconds between two looks at what is left of uploads whose time is over. */
const everyMs = 30 * 60 * 1000;

/**
 * Removes what came of uploads that nobody will go on with. The store forgets them by its own clock; every gateway looks, and none needs
 * another.
 */
@Injectable()
export class UploadSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Uploads');
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(@Inject(UPLOAD_PARTS) private readonly parts: UploadParts | undefined) {}

  onApplicationBootstrap(): void {
    if (this.parts === undefined) return;
    const { parts } = this;
    let isLooking = false;
    const look = (): void => {
      // One look at a file server that hangs is enough.
      if (isLooking) return;
      isLooking = true;
      this.sweeping = this.sweep(parts).finally(() => {
        isLooking = false;
      });
    };
    look();
    this.timer = setInterval(look, everyMs);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  private async sweep({ store, files }: UploadParts): Promise<void> {
    try {
      const { removed, troubles } = await files.sweep(async (id) => (await store.find(id))?.state === 'receiving');
      if (removed > 0) this.logger.log({ message: 'files of uploads were removed that nobody went on with', removed });
      for (const trouble of troubles)
        this.logger.warn({ message: 'what is left of an upload cannot be removed', reason: failureText(trouble) });
    } catch (error) {
      this.logger.warn({ message: 'what is left of uploads cannot be looked through', reason: failureText(error) });
    }
  }
}

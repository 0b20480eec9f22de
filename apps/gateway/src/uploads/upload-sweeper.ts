import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { failureText } from '@fleet/contracts';
import { Loop } from '@fleet/loop';
import { UPLOAD_PARTS, type UploadParts } from './upload-parts';

/** Milliseconds between two checks for what is left of expired uploads. */
const everyMs = 30 * 60 * 1000;

/** Removes what is left of expired uploads. The store forgets them by its own clock; every gateway checks, and none needs another. */
@Injectable()
export class UploadSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Uploads');
  private readonly loop: Loop | undefined;

  constructor(@Inject(UPLOAD_PARTS) parts: UploadParts | undefined) {
    if (parts === undefined) return;
    this.loop = new Loop(
      () => this.sweep(parts),
      everyMs,
      (error) => {
        this.logger.warn({ message: 'what is left of uploads cannot be looked through', reason: failureText(error) });
      },
    );
  }

  onApplicationBootstrap(): void {
    this.loop?.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  private async sweep({ store, files }: UploadParts): Promise<void> {
    const { removed, troubles } = await files.sweep(async (id) => (await store.find(id))?.state === 'receiving');
    if (removed > 0) this.logger.log({ message: 'files of expired uploads were removed', removed });
    for (const trouble of troubles)
      this.logger.warn({ message: 'what is left of an upload cannot be removed', reason: failureText(trouble) });
  }
}

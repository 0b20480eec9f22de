import { Inject, Injectable, Logger } from '@nestjs/common';
import { failureText } from '@fleet/contracts/faults';
import { BackgroundLoop } from '@fleet/loop';
import { UPLOAD_FILES, UPLOAD_STORE, type UploadFiles, type UploadStore } from '@fleet/ports';

/** Milliseconds between two checks for leftovers of expired uploads. */
const everyMs = 30 * 60 * 1000;

/**
 * Removes leftovers of expired uploads. The store deletes their records by its own clock; every gateway checks
 * independently.
 */
@Injectable()
export class UploadSweeper extends BackgroundLoop {
  private readonly logger = new Logger('Uploads');

  constructor(
    @Inject(UPLOAD_STORE) private readonly store: UploadStore,
    @Inject(UPLOAD_FILES) private readonly files: UploadFiles | undefined,
  ) {
    super(
      () => this.sweep(),
      everyMs,
      (error) => this.logger.warn({ message: 'leftovers of uploads cannot be searched', reason: failureText(error) }),
    );
  }

  private async sweep(): Promise<void> {
    if (this.files === undefined) return;
    const { removed, troubles } = await this.files.sweep(
      async (id) => (await this.store.find(id))?.state === 'receiving',
    );
    if (removed > 0) this.logger.log({ message: 'files of expired uploads were removed', removed });
    for (const trouble of troubles)
      this.logger.warn({ message: 'leftovers of an upload cannot be removed', reason: failureText(trouble) });
  }
}

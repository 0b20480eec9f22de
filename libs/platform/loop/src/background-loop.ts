import { Loop } from './loop';

/** A loop that runs while its application does: its methods are Nest's hooks. It ends before queues and connections close. */
export class BackgroundLoop extends Loop {
  onApplicationBootstrap(): void {
    this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }
}

import { Loop } from './loop';

/**
 * A loop for the lifetime of its application: its methods are Nest's hooks. It ends before queues and connections
 * close.
 */
export class BackgroundLoop extends Loop {
  onApplicationBootstrap(): void {
    this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }
}

/** An event that happens once and that callers can wait for. */
export class Latch {
  private release: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  open(): void {
    this.release();
  }

  passed(): Promise<void> {
    return this.opened;
  }
}

import type { Logger } from '@nestjs/common';

const QUIET_MS = 10_000;

/** Number of remembered messages; many name a job or a session, so their number is unlimited. */
const REMEMBERED = 1_000;

/** Logs connection errors without flooding: the same message once in ten seconds, with the number of omitted ones. */
export class ErrorLog {
  private readonly seen = new Map<string, { since: number; left: number }>();

  constructor(
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  report(what: string, error: unknown): void {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    const key = `${what}: ${reason}`;
    const earlier = this.seen.get(key);
    if (earlier !== undefined && this.now() - earlier.since < QUIET_MS) {
      earlier.left += 1;
      return;
    }
    this.logger.error({ message: `${what} failed`, reason, repeated: earlier?.left ?? 0 });
    // Set again, so that the oldest is the first.
    this.seen.delete(key);
    this.seen.set(key, { since: this.now(), left: 0 });
    const [oldest] = this.seen.keys();
    if (this.seen.size > REMEMBERED && oldest !== undefined) this.seen.delete(oldest);
  }
}

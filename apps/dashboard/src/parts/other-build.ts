/**
 * Whether the gateway serves another build than the running one.
 * @param page the text of its index.html
 * @param own the running program
 */
export const isOtherBuild = (page: string, own: string | undefined): boolean =>
  own !== undefined && /<script\b/.test(page) && !page.includes(own);

const programIn = (page: string): string | undefined =>
  /<script\b[^>]*type="module"[^>]*\ssrc="([^"]+)"/.exec(page)?.[1];

/** Shorter than the interval between two checks. */
const steadyMs = 50_000;
const betweenMs = 5 * 60_000;
const storageKey = 'phenix-fleet.loaded-again';

/**
 * Decides when to reload a page: during an upgrade, gateways of both builds respond alternately, and neither has the
 * program of the other.
 */
export class BuildWatch {
  private sinceMs: number | undefined;

  constructor(
    private readonly own: string | undefined,
    private readonly storage: Pick<Storage, 'getItem' | 'setItem'>,
  ) {}

  /**
   * @param page the response; empty for an error
   * @param atMs time of the request
   * @returns URL of the other program, once two consecutive checks have found another build; at most every five minutes
   */
  programAt(page: string, atMs: number): string | undefined {
    if (!isOtherBuild(page, this.own)) {
      this.sinceMs = undefined;
      return undefined;
    }
    this.sinceMs ??= atMs;
    const isDue = atMs - this.sinceMs >= steadyMs && atMs - Number(this.storage.getItem(storageKey)) >= betweenMs;
    return isDue ? programIn(page) : undefined;
  }

  /** Stores the time of the reload. */
  mark(nowMs: number): void {
    this.storage.setItem(storageKey, String(nowMs));
  }
}

/**
 * Whether the gateway serves another build than the one that runs.
 * @param page the text of its index.html
 * @param own the program that runs
 */
export const isOtherBuild = (page: string, own: string | undefined): boolean =>
  own !== undefined && /<script\b/.test(page) && !page.includes(own);

const programIn = (page: string): string | undefined =>
  /<script\b[^>]*type="module"[^>]*\ssrc="([^"]+)"/.exec(page)?.[1];

/** Less than what lies between two looks. */
const steadyMs = 50_000;
const betweenMs = 5 * 60_000;
const storageKey = 'phenix-fleet.loaded-again';

/** When to load a page again: while a fleet is upgraded, gateways of both builds answer in turn, and neither has the program of the other. */
export class BuildWatch {
  private sinceMs: number | undefined;

  constructor(
    private readonly own: string | undefined,
    private readonly storage: Pick<Storage, 'getItem' | 'setItem'>,
  ) {}

  /**
   * @param page what was answered; empty for a refusal
   * @param atMs when it was asked for
   * @returns where the other program is, once two looks in a row have found another build; at most every five minutes
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

  /** Remembers that the page is loaded again now. */
  mark(nowMs: number): void {
    this.storage.setItem(storageKey, String(nowMs));
  }
}

/** A cookie as a browser keeps it, as far as these tests need it. */
interface Cookie {
  readonly origin: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
  /** What else was said of it. */
  readonly about: string;
}

const isOver = (about: string): boolean =>
  /max-age=0\b/i.test(about) || Date.parse(/expires=([^;]*)/i.exec(about)?.[1] ?? '2999-01-01') < Date.now();

/** A browser without a window: it keeps cookies and goes where it is sent. */
export class Browser {
  cookies: readonly Cookie[] = [];

  /** One request. */
  async ask(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin, pathname } = new URL(address);
    const sent = this.cookies
      .filter((cookie) => cookie.origin === origin && pathname.startsWith(cookie.path))
      .map(({ name, value }) => `${name}=${value}`);
    const headers = { ...(init.headers as Record<string, string> | undefined), cookie: sent.join('; ') };
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.keep(origin, line);
    return answer;
  }

  /**
   * Goes where it is sent until somewhere it is sent no further.
   * @param until stops before an address that begins so, and gives it
   */
  async go(address: string, until = 'nowhere'): Promise<{ readonly answer: Response; readonly next: string }> {
    const answer = await this.ask(address);
    const to = answer.headers.get('location');
    const next = to === null ? '' : new URL(to, address).href;
    if (next === '' || next.startsWith(until)) return { answer, next };
    return this.go(next, until);
  }

  private keep(origin: string, line: string): void {
    const [pair = '', ...more] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const about = more.join('; ');
    const path = /path=([^;]*)/i.exec(about)?.[1] ?? '/';
    const others = this.cookies.filter(
      (cookie) => cookie.name !== name || cookie.origin !== origin || cookie.path !== path,
    );
    this.cookies = isOver(about) ? others : [...others, { origin, path, name, value, about }];
  }
}

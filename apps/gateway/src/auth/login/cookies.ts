import { isSecret } from './sealing';

/** What browsers keep for the gateway: what they began a login with, and the login. */
export type CookieKind = 'login' | 'attempt';

/**
 * Cookies of a gateway. With https their names bind them to this host (`__Host-`): no page of a neighbour's name sets them. A gateway on this
 * machine without https cannot have that.
 */
export class Cookies {
  constructor(private readonly isSecure: boolean) {}

  /** The secret that a browser sends; undefined where it sends none, or what is none. */
  secret(header: string | undefined, kind: CookieKind): string | undefined {
    const start = `${this.nameOf(kind)}=`;
    const found = (header ?? '').split(/; */).find((pair) => pair.startsWith(start));
    const value = found?.slice(start.length) ?? '';
    return isSecret(value) ? value : undefined;
  }

  /** @param forMs absent: until the browser is closed */
  set(kind: CookieKind, value: string, forMs?: number): string {
    const age = forMs === undefined ? [] : [`Max-Age=${String(Math.floor(forMs / 1000))}`];
    const secure = this.isSecure ? ['Secure'] : [];
    return [`${this.nameOf(kind)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', ...secure, ...age].join('; ');
  }

  clear(kind: CookieKind): string {
    return this.set(kind, '', 0);
  }

  private nameOf(kind: CookieKind): string {
    return `${this.isSecure ? '__Host-' : ''}fleet-${kind}`;
  }
}

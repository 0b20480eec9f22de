import { isSecret } from './sealing';

/** Cookies of the gateway: the beginning login, and the completed one. */
export type CookieKind = 'login' | 'attempt';

/**
 * Cookies of a gateway. With https their names bind them to this host (`__Host-`), so that no page of a neighbouring
 * name can set them. A local gateway without https cannot have that.
 */
export class Cookies {
  constructor(private readonly isSecure: boolean) {}

  /** The secret in a cookie header; undefined if it is missing or invalid. */
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

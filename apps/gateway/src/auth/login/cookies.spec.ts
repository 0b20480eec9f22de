import { Cookies } from './cookies';

const secret = 'A'.repeat(43);

describe('cookies of a gateway', () => {
  it('are bound to its host with https', () => {
    expect(new Cookies(true).set('login', secret)).toBe(
      `__Host-fleet-login=${secret}; Path=/; HttpOnly; SameSite=Lax; Secure`,
    );
    expect(new Cookies(false).set('attempt', secret, 600_000)).toBe(
      `fleet-attempt=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600`,
    );
  });

  it('are read by their full names, and only if they are secrets', () => {
    const header = `x=1; fleet-login=${'B'.repeat(43)}; __Host-fleet-login=${secret}; a__Host-fleet-login=x`;
    expect(new Cookies(true).secret(header, 'login')).toBe(secret);
    expect(new Cookies(true).secret(header, 'attempt')).toBeUndefined();
    for (const value of ['', 'x', `${secret}A`, `"${secret}"`])
      expect(new Cookies(false).secret(`fleet-login=${value}`, 'login')).toBeUndefined();
    expect(new Cookies(true).secret(undefined, 'login')).toBeUndefined();
  });
});

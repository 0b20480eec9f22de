import type * as ProviderLogin from './provider-login';

/** Loaded only to log in, log out, or renew a login, because it would slow every other call of phx down. */
export const loadProviderLogin = (): typeof ProviderLogin => module.require('./provider-login') as typeof ProviderLogin;

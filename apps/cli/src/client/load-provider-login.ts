import type * as ProviderLogin from './provider-login';

/** Loaded when somebody logs in, out, or renews a login, and no sooner: every call of phx would wait for it. */
export const loadProviderLogin = (): typeof ProviderLogin => module.require('./provider-login') as typeof ProviderLogin;

/** Texts of the login. */
export const loginTexts = {
  title: 'Log in',
  why: 'This gateway requires a login. The requested page opens afterwards.',
  again: 'Your key or login is no longer valid. Log in again. The page below and your input are unchanged.',
  at: (name: string) => `Log in with ${name}`,
  or: 'or with a key',
  tab: 'The login opens in a new tab. Return to this tab afterwards.',
  key: 'Key',
  send: 'Log in with the key',
  hint: 'The key is stored in this browser tab and deleted when you close it. Administrators create keys with phx admin keys create.',
  empty: 'Paste your key, which starts with “phx_”, or a token of your facility.',
} as const;

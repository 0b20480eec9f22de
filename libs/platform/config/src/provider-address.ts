const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a URL leads only to this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  loopback.includes(hostname) || hostname.endsWith('.localhost');

/** Whether the connection is private: https, or http within this machine. */
const isPrivate = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** Whether secrets may be sent to this URL. */
export const isPrivateAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && isPrivate(url);
};

/** Whether it can be a provider's issuer (OpenID Connect Discovery, 3): without user, query and fragment. */
export const isProviderAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && isPrivate(url) && url.username === '' && url.password === '' && !/[?#]/.test(text);
};

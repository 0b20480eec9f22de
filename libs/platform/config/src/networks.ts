import { isIP } from 'node:net';

/** Whether a text is a network: `10.1.0.0/16`, `fd00:1::/64`. */
export const isNetwork = (text: string): boolean => {
  const [, address = '', prefix = ''] = /^([0-9A-Fa-f:.]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(prefix) <= (version === 4 ? 32 : 128);
};

/** The items of a comma-separated list. */
export const networksIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

import { isIPv4, isIPv6 } from 'node:net';

const groupsIn = (part: string): readonly string[] => (part === '' ? [] : part.split(':'));

/** The first four of the eight groups of an IPv6 address. */
const firstHalf = (address: string): string => {
  const [head = '', tail] = address.split('::');
  const [left, right] = [groupsIn(head), groupsIn(tail ?? '')];
  // A trailing IPv4 address is two groups.
  const written = left.length + right.length + (address.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - written }, () => '0');
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};

/**
 * The network whose addresses count as one client: an IPv4 address is one machine or one network behind it; in IPv6
 * every client has the 2⁶⁴ addresses of a network, and could use another one for each request.
 */
export const addressBlockOf = (address: string): string => {
  const [, mapped = ''] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (isIPv4(mapped)) return mapped;
  const [plain = ''] = address.split('%');
  return isIPv6(plain) ? `${firstHalf(plain)}::/64` : address;
};

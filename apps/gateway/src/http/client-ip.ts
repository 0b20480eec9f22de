import { isIP } from 'node:net';
import type { HttpRequest } from './http-types';

/**
 * Where a request comes from. A proxy says for whom it asks (`X-Forwarded-For`), and is believed where the operator trusts it; what it says is
 * taken where it is an address, and else it is the proxy that asked.
 */
export const clientIp = ({ ip, socket }: Pick<HttpRequest, 'ip' | 'socket'>): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;

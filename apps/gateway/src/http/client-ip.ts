import { isIP } from 'node:net';
import type { HttpRequest } from './http-types';

/**
 * The client's IP address. A proxy forwards it (`X-Forwarded-For`), which counts if the operator trusts the proxy. If
 * the header is not an IP address, the proxy's own is used.
 */
export const clientIp = ({ ip, socket }: Pick<HttpRequest, 'ip' | 'socket'>): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;

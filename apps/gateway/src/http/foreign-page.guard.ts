import type { IncomingHttpHeaders } from 'node:http';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ApiError } from './errors/problem-details';
import type { HttpRequest } from './http-types';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a web page of another origin caused this request. Browsers state that for every request that may change
 * something; other clients send neither header. The rules are those of Go's `http.CrossOriginProtection`.
 */
const isForeign = ({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean => {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && URL.parse(origin)?.host !== host;
};

/**
 * With open access, a browser on a machine that can reach the gateway would execute requests of any page. Bodies other
 * than JSON are already rejected; this guard is for requests without a body.
 */
export class ForeignPageGuard implements CanActivate {
  /** @throws ApiError `request.foreign_page` */
  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<Pick<HttpRequest, 'method' | 'headers'>>();
    if (safeMethods.includes(method) || !isForeign(headers)) return true;
    throw new ApiError(
      'request.foreign_page',
      'This request came from a web page of another origin; nothing was done.',
    );
  }
}

import { ApiError } from '../../http/errors/problem-details';
import type { HttpRequest } from '../../http/http-types';

/**
 * Header that marks a request of the gateway's own pages: a page of another origin cannot set it without a preflight
 * request.
 */
const header = 'x-fleet-request';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * A browser adds a cookie to any page's requests, so a change needs more: the header, and the origin of an own page.
 * Cookies are shared between the ports of a host, and a page on another port belongs to the same site.
 * @param origin of the gateway as browsers see it
 * @throws ApiError `request.unmarked` or `request.foreign_page`
 */
export const checkOwnPage = ({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>, origin: string): void => {
  if (safeMethods.includes(method)) return;
  if (headers.origin !== origin)
    throw new ApiError(
      'request.foreign_page',
      `With a browser login, changes must come from a page of ${origin}; this one came from ${headers.origin ?? 'an unknown origin'}. Nothing was done.`,
    );
  if (headers[header] !== undefined) return;
  throw new ApiError(
    'request.unmarked',
    'With a browser login, changes need the header X-Fleet-Request, with any value. Nothing was done.',
  );
};

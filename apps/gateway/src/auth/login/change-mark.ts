import { ApiError } from '../../http/errors/problem-details';
import type { HttpRequest } from '../../http/http-types';

/** What marks a request of the gateway's own pages: a page of another origin cannot set it without being asked first. */
const header = 'x-fleet-request';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * A browser sends a cookie along with whatever any page makes it send, so a change needs more: the mark, and the origin of an own page. Hosts
 * share their cookies between ports, and a page on another port is of the same site.
 * @param origin of the gateway as browsers reach it
 * @throws ApiError `request.unmarked` or `request.foreign_page`
 */
export const checkOwnPage = ({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>, origin: string): void => {
  if (safeMethods.includes(method)) return;
  if (headers.origin !== origin)
    throw new ApiError(
      'request.foreign_page',
      `A change by the login of a browser has to come from a page of ${origin}; this one came from ${headers.origin ?? 'one that does not say where it is'}. Nothing was done.`,
    );
  if (headers[header] !== undefined) return;
  throw new ApiError(
    'request.unmarked',
    'A change by the login of a browser needs the header X-Fleet-Request, with any value: it shows that a page of this gateway asks. Nothing was done.',
  );
};

import { ApiError } from '../../http/errors/problem-details';

/**
 * A path: exactly one leading slash, no backslash, which browsers treat as one, and no blanks or control characters.
 */
const pathForm = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,2000}$/;

/**
 * The page after the login: always a URL of this gateway.
 * @param publicUrl the gateway as browsers see it, without a trailing slash
 * @param asked a path; absent: the dashboard
 * @throws ApiError `request.invalid`
 */
export const returnAddress = (publicUrl: string, asked: string | undefined): string => {
  const own = new URL(`${publicUrl}/`);
  if (asked === undefined) return new URL('ui/', own).href;
  const to = pathForm.test(asked) ? URL.parse(asked, own.href) : null;
  if (to?.origin === own.origin && to.pathname.startsWith(own.pathname)) return to.href;
  throw new ApiError('request.invalid', 'The URL to return to is not one of this gateway.', [
    {
      field: 'return_to',
      reason: 'is not a URL of this gateway',
      allowed: `a path that begins with ${own.pathname}`,
      code: 'field.value',
    },
  ]);
};

import type { ProblemDetails } from '@fleet/contracts/sessions';

/** Makes text safe for a quoted header value: visible ASCII without quotes and backslashes. */
const quotable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'");

/** `WWW-Authenticate` of a 401 response (RFC 6750, 3): why the credentials are invalid, or that there are none. */
export const challengeOf = ({ code, detail }: Pick<ProblemDetails, 'code' | 'detail'>): string => {
  const realm = 'Bearer realm="phenix-fleet"';
  if (code !== 'access.bad_credentials') return realm;
  return `${realm}, error="invalid_token", error_description="${quotable(detail)}"`;
};

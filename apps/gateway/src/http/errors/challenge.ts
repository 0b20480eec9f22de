import type { ProblemDetails } from '@fleet/contracts/sessions';

/** A header holds visible ASCII, and a quoted text in it neither quotes nor backslashes. */
const quotable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'");

/** `WWW-Authenticate` of an answer 401 (RFC 6750, 3): what was sent opens nothing, and why; or nothing was sent. */
export const challengeOf = ({ code, detail }: Pick<ProblemDetails, 'code' | 'detail'>): string => {
  const realm = 'Bearer realm="phenix-fleet"';
  if (code !== 'access.bad_credentials') return realm;
  return `${realm}, error="invalid_token", error_description="${quotable(detail)}"`;
};

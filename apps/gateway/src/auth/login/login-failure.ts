import { errnoOf, failureText } from '@fleet/contracts/faults';
import { ApiError } from '../../http/errors/problem-details';

const memberOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

const wordOf = (error: unknown, name: string): string => {
  const word = memberOf(error, name);
  return typeof word === 'string' ? word : '';
};

/** Error responses in OAuth form (RFC 6749, 4.1.2.1 and 5.2). */
const answers: readonly string[] = ['OAUTH_RESPONSE_BODY_ERROR', 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'];

/** Errors of a failing provider, or of an unknown client: they say nothing about a login. */
const aboutNobody = /^(?:server_error|temporarily_unavailable|invalid_client|unauthorized_client)$/;

/** The provider refused: the credentials are not, or no longer, valid for a login. */
export const isRefusal = (error: unknown): boolean =>
  answers.includes(errnoOf(error) ?? '') && !aboutNobody.test(wordOf(error, 'error'));

/** No response, or an invalid one; an unknown client gets 401. */
const trouble: readonly string[] = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  ...answers,
];

const isTrouble = (error: unknown): boolean =>
  trouble.includes(errnoOf(error) ?? '') ||
  wordOf(error, 'message') === 'fetch failed' ||
  (memberOf(error, 'cause') !== undefined && isTrouble(memberOf(error, 'cause')));

const causes = (error: unknown): string => {
  const cause = memberOf(error, 'cause');
  const answered = [wordOf(error, 'error'), wordOf(error, 'error_description')]
    .filter((word) => word !== '')
    .join(': ');
  return [answered === '' ? failureText(error) : answered, ...(cause instanceof Error ? [causes(cause)] : [])].join(
    '; ',
  );
};

/** The reason, in one line for the log. */
export const reasonOf = (error: unknown): string => causes(error).slice(0, 500);

/** The error response for a login error of the library; undefined for other errors. */
export const loginFailure = (error: unknown, issuer: string): ApiError | undefined => {
  if (isRefusal(error)) {
    const why = wordOf(error, 'error_description') || wordOf(error, 'error');
    return new ApiError('login.refused', `The identity provider did not log you in: ${why.slice(0, 200)}.`);
  }
  if (isTrouble(error))
    return new ApiError(
      'access.provider_unavailable',
      `The identity provider, ${issuer}, is unreachable. Try again; API keys still work.`,
    );
  if (!/^(?:OAUTH_|ERR_)/.test(errnoOf(error) ?? '')) return undefined;
  return new ApiError(
    'login.refused',
    `The provider's response does not match the login of this browser (${failureText(error).slice(0, 200)}). Log in again.`,
  );
};

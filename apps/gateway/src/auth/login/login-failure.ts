import { errnoOf, failureText } from '@fleet/contracts/faults';
import { ApiError } from '../../http/errors/problem-details';

const memberOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

const wordOf = (error: unknown, name: string): string => {
  const word = memberOf(error, name);
  return typeof word === 'string' ? word : '';
};

/** What the provider answered in the form that OAuth has for it (RFC 6749, 4.1.2.1 and 5.2). */
const answers: readonly string[] = ['OAUTH_RESPONSE_BODY_ERROR', 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'];

/** What a provider says that is in trouble, or to whom this gateway is nobody: that says nothing of a login. */
const aboutNobody = /^(?:server_error|temporarily_unavailable|invalid_client|unauthorized_client)$/;

/** The provider said no: what it was given is not, or no longer, good for a login. */
export const isRefusal = (error: unknown): boolean =>
  answers.includes(errnoOf(error) ?? '') && !aboutNobody.test(wordOf(error, 'error'));

/** Nobody answered, or not in the form of an answer; an unknown gateway is answered 401. */
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

/** Why, in one line for the log. */
export const reasonOf = (error: unknown): string => causes(error).slice(0, 500);

/** The answer to a login that the library refused; undefined where the error is none of its. */
export const loginFailure = (error: unknown, issuer: string): ApiError | undefined => {
  if (isRefusal(error)) {
    const why = wordOf(error, 'error_description') || wordOf(error, 'error');
    return new ApiError('login.refused', `The identity provider did not log you in: ${why.slice(0, 200)}.`);
  }
  if (isTrouble(error))
    return new ApiError(
      'access.provider_unavailable',
      `The identity provider, ${issuer}, cannot be asked. Try again; keys of the API still open the gateway.`,
    );
  if (!/^(?:OAUTH_|ERR_)/.test(errnoOf(error) ?? '')) return undefined;
  return new ApiError(
    'login.refused',
    `What came back from the provider is not an answer to what this browser asked for (${failureText(error).slice(0, 200)}). Log in again.`,
  );
};

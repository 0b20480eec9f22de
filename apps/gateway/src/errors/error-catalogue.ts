import type { FaultKind } from '@fleet/contracts';

export interface ErrorEntry {
  readonly status: number;
  /** Short, the same for every occurrence (RFC 9457, `title`). */
  readonly title: string;
}

/** Every code that the gateway answers with. Codes are part of the API: one may be added, none may change its meaning. */
export const errorCatalogue = {
  'request.bad_json': { status: 400, title: 'The body is not JSON' },
  'request.invalid': { status: 400, title: 'A parameter of the request is invalid' },
  'request.unsupported_media_type': { status: 415, title: 'The body must be application/json' },
  'request.too_large': { status: 413, title: 'The body is too large' },
  'request.uri_too_long': { status: 414, title: 'The address is too long' },
  'request.headers_too_large': { status: 431, title: 'The headers are too long' },
  'request.timeout': { status: 408, title: 'The request took too long to arrive' },
  'request.rejected': { status: 400, title: 'The request was refused' },
  'request.too_many': { status: 429, title: 'Too many requests' },
  'request.foreign_page': { status: 403, title: 'A web page of another origin may not do this' },
  'request.unmarked': { status: 403, title: 'A change by the login of a browser has to be marked' },
  'request.foreign_host': { status: 421, title: 'The gateway does not answer to this name' },
  'access.no_credentials': { status: 401, title: 'A key or token is required' },
  'access.bad_credentials': { status: 401, title: 'The key or token opens nothing' },
  'access.login_ended': { status: 401, title: 'The login has ended' },
  'access.denied': { status: 403, title: 'That is not for this principal' },
  'access.provider_unavailable': { status: 503, title: 'Who you are cannot be found out at the moment' },
  'access.members_unavailable': { status: 503, title: 'Which proposals are yours cannot be found out at the moment' },
  'login.off': { status: 404, title: 'There is no login for browsers' },
  'login.not_begun': { status: 400, title: 'No login of this browser waits for that' },
  'login.refused': { status: 403, title: 'The provider of identities did not log in' },
  'key.not_found': { status: 404, title: 'There is no such key' },
  'key.exists': { status: 409, title: 'There is such a key already' },
  'key.no_installation_key': { status: 409, title: 'The installation has no key to sign with' },
  'webhook.not_found': { status: 404, title: 'There is no such webhook' },
  'webhook.off': { status: 409, title: 'The installation sends no webhooks' },
  'webhook.too_many': { status: 409, title: 'There are too many webhooks' },
  'webhook.no_installation_key': { status: 409, title: 'The installation has no key to sign with' },
  'route.not_found': { status: 404, title: 'There is nothing at this address' },
  'dashboard.absent': { status: 404, title: 'This gateway has no dashboard' },
  'submission.invalid': { status: 422, title: 'The submission cannot be accepted' },
  'session.not_found': { status: 404, title: 'There is no such session' },
  'session.ambiguous': { status: 409, title: 'Several sessions match' },
  'session.ended': { status: 409, title: 'The session has already ended' },
  'session.not_ended': { status: 409, title: 'The session has not ended' },
  'session.cancelling': { status: 409, title: 'The session is being cancelled' },
  'session.changed': { status: 412, title: 'The session has changed in the meantime' },
  'advice.changed': { status: 412, title: 'The advice has changed in the meantime' },
  'advice.no_precondition': { status: 428, title: 'The change of advice names no revision' },
  'archive.missing': { status: 409, title: 'The folder of the archived session is gone' },
  'archive.altered': { status: 409, title: 'The folder of the archived session was changed' },
  'session_file.newer': { status: 409, title: 'A newer release has written the files of the archived session' },
  'cycle.not_found': { status: 404, title: 'The session has no such cycle' },
  'log.not_found': { status: 404, title: 'The attempt has written no log yet' },
  'file.not_found': { status: 404, title: 'The session has no such file' },
  'file.no_such_range': { status: 416, title: 'The file has none of these bytes' },
  'files.busy': { status: 503, title: 'Too many archives are being written' },
  'administration.off': { status: 403, title: 'Administration is disabled' },
  'batch.not_found': { status: 404, title: 'There is no such batch' },
  'batch.invalid': { status: 422, title: 'The batch cannot be accepted' },
  'batch.full': { status: 422, title: 'The batch has as many rows as one may have' },
  'batch.cancelled': { status: 409, title: 'The batch was cancelled' },
  'manifest.invalid': { status: 422, title: 'The manifest cannot be read' },
  'idempotency.conflict': { status: 409, title: 'The idempotency key was used for another submission' },
  'events.too_many_streams': { status: 503, title: 'Too many event streams are open' },
  'inspection.busy': { status: 503, title: 'Too many files are waiting to be inspected' },
  'decisions.busy': { status: 503, title: 'Too many decisions are being made' },
  'decision.too_costly': { status: 422, title: 'The decision takes too much time or memory' },
  'storage.unavailable': { status: 503, title: 'The session store is unavailable' },
  'service.unavailable': { status: 503, title: 'The service is unavailable' },
  'service.not_ready': { status: 503, title: 'The service is not ready' },
  'service.error': { status: 500, title: 'An unexpected error' },
} as const satisfies Record<string, ErrorEntry>;
export type ErrorCode = keyof typeof errorCatalogue;

/** Codes of problems inside `problems[]`: what is wrong with one field. */
export const problemCodes = [
  'field.unknown',
  'field.missing',
  'field.type',
  'field.value',
  'field.too_long',
  'setting.unknown',
  'setting.type',
  'setting.range',
  'directive.invalid',
  'file.missing',
  'file.empty',
  'file.unreadable',
  'file.not_regular',
  'file.is_link',
  'file.corrupt',
  'file.too_complex',
  'file.inspection_timeout',
  'file.inspection_failed',
  'file.not_inspected',
  'file.outside_root',
  'file.unknown_format',
  'file.bad_name',
  'file.duplicate',
  'files.none',
  'files.too_many',
  'files.no_data',
  'experiment.ambiguous',
  'experiment.contradiction',
  'problems.more',
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** What a fault of another library becomes when its own code is not in the catalogue. */
export const entryOfFaultKind: Readonly<Record<FaultKind, ErrorEntry>> = {
  caller: { status: 422, title: 'The request cannot be accepted' },
  not_found: { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'The request conflicts with what is stored' },
  transient: errorCatalogue['service.unavailable'],
  bug: errorCatalogue['service.error'],
};

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);

import type { SessionDirectives } from './directives';
import type { Session } from './session';

/** The part of a session that says what is asked for. */
export type GuidedSession = Pick<Session, 'request'>;

/** What is asked for in structured form, as decisions follow it now: the one place that says so. */
export const directivesInForce = ({ request }: GuidedSession): SessionDirectives => request.directives ?? {};

/** The submitter's words, as decisions read them now. */
export const adviceInForce = ({ request }: GuidedSession): string => request.advice;

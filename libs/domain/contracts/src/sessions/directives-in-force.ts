import type { SessionDirectives } from '../guidance/directives';
import { emptyReading, type Guidance } from '../guidance/guidance';
import { mergedDirectives } from '../guidance/merged-directives';
import type { Session, SessionSteering } from './session';
import type { SessionSettings } from '../service/settings';

/** The part of a session that contains its guidance. */
export type GuidedSession = Pick<Session, 'request' | 'guidance'>;

/** Directives of a session that should end soon: of two limits the lower one counts. */
const endingAfter = (directives: SessionDirectives, endsAfter: number | undefined): SessionDirectives => {
  if (endsAfter === undefined) return directives;
  const { stop_conditions = {} } = directives;
  const after_cycle = Math.min(stop_conditions.after_cycle ?? Infinity, endsAfter);
  return { ...directives, stop_conditions: { ...stop_conditions, after_cycle } };
};

/**
 * The structured directives that decisions follow now: those read from the advice, overridden by the client's. The only function that
 * combines them.
 */
export const directivesInForce = ({ request, guidance }: GuidedSession): SessionDirectives => {
  if (guidance === undefined) return request.directives ?? {};
  const { reading, directives = {}, endsAfter } = guidance;
  return endingAfter(mergedDirectives(reading.directives, directives).directives, endsAfter);
};

/** Å: the resolution that the directives set for every program; undefined without one. */
export const resolutionForAll = ({ program_settings }: SessionDirectives): number | undefined => {
  const resolution = program_settings?.['default']?.['resolution'];
  return typeof resolution === 'number' && resolution > 0 ? resolution : undefined;
};

/** Å: the resolution that the submitter gave in advice, directives or settings: no program computes beyond it. Undefined without one. */
export const givenResolution = (session: GuidedSession): number | undefined => {
  const { resolution } = session.request.settings;
  return resolutionForAll(directivesInForce(session)) ?? (resolution > 0 ? resolution : undefined);
};

/** The submitter's advice that decisions follow now. */
export const adviceInForce = ({ request, guidance }: GuidedSession): string => guidance?.reading.text ?? request.advice;

/** The settings that decisions follow now. */
export const settingsInForce = ({ request, guidance }: GuidedSession): SessionSettings =>
  guidance?.reading.stepByStep === true ? { ...request.settings, maximum_automation: false } : request.settings;

/** What the session received from outside, with the cycle after which its advice was changed. */
export const steeringInForce = ({ request, guidance }: GuidedSession): SessionSteering => {
  const { adviceChangedAfter, ...steering } = request.steering ?? {};
  const changedAfter = guidance === undefined ? adviceChangedAfter : guidance.changedAfter;
  return changedAfter === undefined ? steering : { ...steering, adviceChangedAfter: changedAfter };
};

/** The guidance as its own record: derived from the request for a session of an older release, or without requests. */
export const guidanceOf = ({ request, guidance, createdAt }: GuidedSession & Pick<Session, 'createdAt'>): Guidance => {
  if (guidance !== undefined) return guidance;
  const { advice, directives, steering } = request;
  const changedAfter = steering?.adviceChangedAfter;
  return {
    revision: 1,
    at: createdAt,
    sources: advice === '' ? [] : [{ from: 'text', text: advice }],
    hash: '',
    reader: 'rules',
    reading: emptyReading,
    overruled: [],
    ...(directives !== undefined && { directives, directivesSince: 1 }),
    ...(changedAfter !== undefined && { changedAfter }),
  };
};

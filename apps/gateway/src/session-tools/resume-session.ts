import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type {
  JsonValue,
  Session,
  SessionDirectives,
  SessionEvent,
  SessionFile,
  SessionRequest,
} from '@fleet/contracts';
import { isoTime } from '@fleet/ports';
import { progressOf } from '@fleet/session-report';
import { checkExperiment } from '../submission/check-experiment';
import { inspectFiles } from '../submission/inspect-files';
import { ProblemList } from '../submission/problem-list';
import { readDirectives } from '../submission/read-directives';
import { readSettings } from '../submission/read-settings';
import { readResumeBody, type ResumeBody } from './read-tool-body';
import { findEnded, refuseProblems, reopenSession, type SessionTools } from './reopen-session';

/** The number of the next cycle: the current one where nothing was decided in it. A number that was used is never used again. */
const nextCycle = ({ cycle, cycles, stop }: Session): number => {
  const used = stop?.reason === 'cycles_removed' || cycles.some((record) => record.cycle === cycle);
  return used ? cycle + 1 : cycle;
};

/** Directives as an event tells them: they came as JSON. */
const asJson = (directives: SessionDirectives | undefined): JsonValue =>
  directives === undefined ? {} : (JSON.parse(JSON.stringify(directives)) as JsonValue);

/** What a resume may change, by name. */
const instructionsOf = ({
  advice,
  directives,
  settings,
}: SessionRequest): readonly (readonly [string, JsonValue])[] => [
  ['advice', advice],
  ['directives', asJson(directives)],
  ...Object.entries<JsonValue>({ ...settings }),
];

/** Advice, directives and settings that differ, with what they were. */
const changesOf = (before: SessionRequest, after: SessionRequest): Readonly<Record<string, JsonValue>> => {
  const old = new Map(instructionsOf(before));
  const now = instructionsOf(after);
  const changed = now.filter(([name, value]) => !isDeepStrictEqual(old.get(name), value));
  return Object.fromEntries(changed.map(([name, value]) => [name, { before: old.get(name) ?? null, after: value }]));
};

/** Nobody is to think that words in free text are followed. */
const toldName = (name: string): string => (name === 'advice' ? 'advice (stored, not followed yet)' : name);

/** What is new, in words: ` with LIG.cif and other advice (stored, not followed yet), max_cycles`. */
const newsText = (added: readonly string[], names: readonly string[]): string => {
  const parts = [
    ...(added.length === 0 ? [] : [added.join(', ')]),
    ...(names.length === 0 ? [] : [`other ${names.join(', ')}`]),
  ];
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
};

/** Files of the request that were not there, or are others now. */
const addedTo = ({ inputs: before }: SessionRequest, { inputs }: SessionRequest): readonly string[] =>
  inputs.filter((file) => !before.some((old) => isDeepStrictEqual(old, file))).map(({ path }) => basename(path));

const resumedEvent = (session: Session, request: SessionRequest, cycle: number, at: string): SessionEvent => {
  const changes = changesOf(session.request, request);
  const names = Object.keys(changes).map(toldName);
  const added = addedTo(session.request, request);
  const stop = session.stop === undefined ? null : { reason: session.stop.reason, detail: session.stop.detail };
  return {
    type: 'session_resumed',
    cycle,
    at,
    message: `Resumed at cycle ${String(cycle)}${newsText(added, names)}`,
    data: { changes, stop, ...(added.length > 0 && { files: added }) },
  };
};

/** New words of the submitter open a finished workflow again (phenix-agent.md#extending-a-completed-workflow); settings alone do not. */
const steeringAfter = (
  { request: before, cycles }: Session,
  after: SessionRequest,
): Pick<SessionRequest, 'steering'> => {
  const saysNothingNew = before.advice === after.advice && isDeepStrictEqual(before.directives, after.directives);
  if (saysNothingNew) return {};
  return { steering: { ...before.steering, adviceChangedAfter: cycles.at(-1)?.cycle ?? 0 } };
};

/** The files from now on: one that was there already is taken as it is now. */
const inputsAfter = (before: readonly SessionFile[], added: readonly SessionFile[]): readonly SessionFile[] => {
  const again = new Map(added.map((file) => [file.path, file]));
  const known = new Set(before.map(({ path }) => path));
  return [...before.map((file) => again.get(file.path) ?? file), ...added.filter(({ path }) => !known.has(path))];
};

/** The request as it is from now on. Whatever is wrong goes to `problems`; the result is then to be thrown away. */
const requestAfter = async (
  { directives: before, ...request }: SessionRequest,
  given: ResumeBody,
  { knowledge, files }: SessionTools,
  problems: ProblemList,
): Promise<SessionRequest> => {
  const added = await inspectFiles(given.files, files, problems, request.inputs.length);
  const inputs = inputsAfter(request.inputs, added);
  const settings = readSettings({ ...request.settings, ...given.settings }, knowledge.programs, problems);
  checkExperiment(inputs, settings, added.length === given.files.length, problems);
  const directives = given.directives === undefined ? before : readDirectives(given.directives, knowledge, problems);
  return {
    ...request,
    inputs,
    settings,
    advice: given.advice ?? request.advice,
    ...(directives !== undefined && { directives }),
  };
};

/**
 * Lets an ended session decide on its next cycle, with new advice, directives, settings and more files where they are given.
 * @throws ApiError `request.invalid` with everything that is wrong, or see `findEnded`
 */
export const resumeSession = async (
  tools: SessionTools,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<Session> => {
  const session = await findEnded(tools.records, id, ifMatch);
  const problems = new ProblemList();
  const told = await requestAfter(session.request, readResumeBody(body, problems), tools, problems);
  refuseProblems(problems);
  const request = { ...told, ...steeringAfter(session, told) };
  const cycle = nextCycle(session);
  return reopenSession(tools, {
    sessionId: id,
    fromVersion: session.version,
    to: { stage: 'deciding', cycle, attempt: 1 },
    request,
    progress: progressOf({ ...session, request }),
    events: [resumedEvent(session, request, cycle, isoTime(tools.clock))],
    dueInMs: tools.dueInMs,
  });
};

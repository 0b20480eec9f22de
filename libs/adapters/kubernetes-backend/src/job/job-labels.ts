import { createHash } from 'node:crypto';
import type { RunSpec } from '@fleet/contracts/runs';

const domain = 'phenix-fleet.io';

/** Keys of the fleet's labels and annotations. */
export const keys = {
  managedBy: 'app.kubernetes.io/managed-by',
  installation: `${domain}/installation`,
  session: `${domain}/session`,
  cycle: `${domain}/cycle`,
  /** The full name of the attempt. */
  attempt: `${domain}/attempt`,
  attemptNumber: `${domain}/attempt-number`,
  proposal: `${domain}/proposal`,
  beamline: `${domain}/beamline`,
  priority: `${domain}/priority`,
  program: `${domain}/program`,
  class: `${domain}/class`,
  /** The session's trace id. */
  trace: `${domain}/trace-id`,
  /** On probe Jobs: the name of the source. */
  probe: `${domain}/probe`,
  /** On trial Jobs: the id of the trial. */
  trial: `${domain}/trial`,
  specHash: `${domain}/spec-hash`,
  mayFallBack: `${domain}/may-fall-back`,
} as const;

const managedBy = 'phenix-fleet';
const longestLabel = 63;
const longestJobName = 63;

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * Converts text to a label value: unchanged if valid; otherwise sanitised, with a part of its hash to keep it unique.
 */
export const labelValue = (text: string): string => {
  if (text.length <= longestLabel && /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(text)) return text;
  const fit = text
    .replace(/[^-A-Za-z0-9_.]+/g, '-')
    .slice(0, longestLabel - 9)
    .replace(/^[^A-Za-z0-9]+/, '');
  return `${fit}${fit === '' ? '' : '-'}${shortHash(text)}`;
};

const jobPrefix = 'phx-';

/** The name of a run's Job: one permanent name per attempt. A DNS label of at most 63 characters. */
export const jobNameOf = (run: string): string => {
  const plain = `${jobPrefix}${run}`;
  if (plain.length <= longestJobName && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(plain)) return plain;
  const fit = plain.toLowerCase().replace(/[^-a-z0-9]+/g, '-');
  return `${fit.slice(0, longestJobName - 9)}-${shortHash(run)}`;
};

/** The name of a Job's run, if the name was not sanitised. */
export const runOfJobName = (job: string): string => job.slice(jobPrefix.length);

/** Labels on every object of an installation; lists and watches select by them. */
export const installationLabels = (installation: string): Readonly<Record<string, string>> => ({
  [keys.managedBy]: managedBy,
  [keys.installation]: labelValue(installation),
});

export const selectorOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** Labels of a run's Job and pod. */
export const runLabels = (spec: RunSpec, installation: string): Readonly<Record<string, string>> => ({
  ...installationLabels(installation),
  [keys.session]: labelValue(spec.owner.sessionId),
  [keys.cycle]: String(spec.owner.cycle),
  [keys.attempt]: labelValue(spec.name),
  [keys.proposal]: labelValue(spec.owner.proposal),
  [keys.beamline]: labelValue(spec.owner.beamline),
  [keys.priority]: spec.owner.priority,
  [keys.program]: labelValue(spec.program),
  [keys.class]: spec.resources.class,
  ...(spec.owner.traceId !== undefined && { [keys.trace]: labelValue(spec.owner.traceId) }),
});

/** Annotations of a run's Job: the full values of the labels, and what is compared or judged later. */
export const runAnnotations = (spec: RunSpec, specHash: string): Readonly<Record<string, string>> => ({
  [keys.specHash]: specHash,
  [keys.session]: spec.owner.sessionId,
  [keys.cycle]: String(spec.owner.cycle),

  [keys.attempt]: spec.name,
  [keys.attemptNumber]: String(spec.owner.attempt),
  [keys.proposal]: spec.owner.proposal,
  [keys.beamline]: spec.owner.beamline,
  [keys.program]: spec.program,
  [keys.mayFallBack]: String(spec.resources.mayFallBack),
});

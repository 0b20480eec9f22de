import { createHash } from 'node:crypto';
import type { RunSpec } from '@fleet/contracts/runs';

const domain = 'phenix-fleet.io';

/** Keys of our labels and annotations. */
export const keys = {
  managedBy: 'app.kubernetes.io/managed-by',
  installation: `${domain}/installation`,
  session: `${domain}/session`,
  cycle: `${domain}/cycle`,
  /** The whole name of the attempt. */
  attempt: `${domain}/attempt`,
  attemptNumber: `${domain}/attempt-number`,
  proposal: `${domain}/proposal`,
  beamline: `${domain}/beamline`,
  priority: `${domain}/priority`,
  program: `${domain}/program`,
  class: `${domain}/class`,
  /** Of the trace that the session belongs to. */
  trace: `${domain}/trace-id`,
  /** Of Jobs that look what a source has: its name. */
  probe: `${domain}/probe`,
  /** Of Jobs that only see what a program would see: the id of the trial. */
  trial: `${domain}/trial`,
  specHash: `${domain}/spec-hash`,
  mayFallBack: `${domain}/may-fall-back`,
} as const;

const managedBy = 'phenix-fleet';
const longestLabel = 63;
const longestJobName = 63;

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** A text as the value of a label: as it is where that is allowed, else made fit and told apart by a piece of its hash. */
export const labelValue = (text: string): string => {
  if (text.length <= longestLabel && /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(text)) return text;
  const fit = text
    .replace(/[^-A-Za-z0-9_.]+/g, '-')
    .slice(0, longestLabel - 9)
    .replace(/^[^A-Za-z0-9]+/, '');
  return `${fit}${fit === '' ? '' : '-'}${shortHash(text)}`;
};

const jobPrefix = 'phx-';

/** The name of a run's Job: one name for one attempt, for ever. A DNS label of at most 63 characters. */
export const jobNameOf = (run: string): string => {
  const plain = `${jobPrefix}${run}`;
  if (plain.length <= longestJobName && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(plain)) return plain;
  const fit = plain.toLowerCase().replace(/[^-a-z0-9]+/g, '-');
  return `${fit.slice(0, longestJobName - 9)}-${shortHash(run)}`;
};

/** The name of the run whose Job has this name, where the name was not made fit. */
export const runOfJobName = (job: string): string => job.slice(jobPrefix.length);

/** What every object of an installation carries; lists and watches select by it. */
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

/** Annotations of a run's Job: what labels say, in full, and what is compared or judged later. */
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

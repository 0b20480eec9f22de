// Evidence from the cluster about a session: its Jobs and pods, compared with the session's record.
import fs from 'node:fs';
import path from 'node:path';
import { names } from './release.mjs';

const key = (name) => `phenix-fleet.io/${name}`;

function containerFacts(pod) {
  const container = pod.spec.containers[0];
  return {
    pod: pod.metadata.name,
    podUid: pod.metadata.uid,
    node: pod.spec.nodeName,
    phase: pod.status.phase,
    uid: container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser,
    readOnlyRoot: container.securityContext?.readOnlyRootFilesystem === true,
    serviceAccountToken: pod.spec.automountServiceAccountToken !== false,
    startedAt: pod.status.startTime,
    restarts: pod.status.containerStatuses?.[0]?.restartCount ?? 0,
  };
}

/** Every Job of a session with its pods: {job, attempt, program, cycle, createdAt, pods}. */
export async function jobsOf({ objects }, session) {
  const selector = `--selector=${key('session')}=${session}`;
  const space = ['--namespace', names.jobsNamespace];
  const [jobs, pods] = await Promise.all([objects('jobs', ...space, selector), objects('pods', ...space, selector)]);
  return jobs
    .map(({ metadata }) => ({
      job: metadata.name,
      attempt: Number(metadata.annotations[key('attempt-number')]),
      program: metadata.annotations[key('program')],
      cycle: Number(metadata.annotations[key('cycle')]),
      createdAt: metadata.creationTimestamp,
      pods: pods
        .filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
        .map(containerFacts),
    }))
    .toSorted((one, other) => one.cycle - other.cycle || one.attempt - other.attempt);
}

/** Owners of a program's log files in the work folder of this machine, which show the user that ran it. */
export function ownersOf(workFolder, record, workMount) {
  const folder = path.join(workFolder, path.posix.relative(workMount, record.folder));
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => path.basename(name) === 'program.log')
    .map((name) => ({ log: name, uid: fs.statSync(path.join(folder, name)).uid }));
}

/**
 * Sentences about differences between a record and the cluster; empty if each attempt of the record is one Job, each Job is an
 * attempt, and each program was started once.
 */
export function differences(record, jobs) {
  const attempts = record.cycles.flatMap((cycle) =>
    cycle.attempts.map((attempt) => `cycle ${cycle.cycle} attempt ${attempt.attempt}`),
  );
  const known = jobs.map(({ cycle, attempt }) => `cycle ${cycle} attempt ${attempt}`);
  const lost = attempts.filter((each) => !known.includes(each)).map((each) => `${each} has no Job`);
  const unknown = known.filter((each) => !attempts.includes(each)).map((each) => `the record knows no ${each}`);
  const twice = record.cycles
    .filter(({ attempts: list }) => list.filter(({ ending }) => ending?.kind === 'exited').length > 1)
    .map(({ cycle }) => `the program of cycle ${cycle} ran to its end more than once`);
  const restarted = jobs
    .filter(({ pods }) => pods.length !== 1 || pods[0].restarts > 0)
    .map(
      ({ job, pods }) => `${job} has ${pods.length} pods, ${pods.map(({ restarts }) => restarts).join('+')} restarts`,
    );
  return [...lost, ...unknown, ...twice, ...restarted];
}

const value = (cycle, name) => cycle.result?.metrics.find((metric) => metric.name === name)?.value;

/** One line for each cycle: the program, its pod and user, and R-free. */
export function table(record, jobs) {
  const rows = record.cycles.map((cycle) => {
    const job = jobs.filter((each) => each.cycle === cycle.cycle).at(-1);
    const pod = job?.pods[0];
    const rFree = value(cycle, 'r_free');
    return [
      String(cycle.cycle).padStart(3),
      cycle.decision.program.padEnd(24),
      (cycle.result?.outcome ?? '-').padEnd(9),
      (rFree === undefined ? '' : `R-free ${rFree}`).padEnd(16),
      pod === undefined ? 'no pod' : `uid ${pod.uid}, root ${pod.readOnlyRoot ? 'read-only' : 'WRITABLE'}, ${pod.pod}`,
    ].join('  ');
  });
  return rows.join('\n');
}

/** The existing Jobs of this fleet, in all namespaces. */
export async function jobsLeft({ objects }) {
  const selector = `--selector=app.kubernetes.io/managed-by=phenix-fleet,${key('installation')}=${names.release}`;
  const jobs = await objects('jobs', '--all-namespaces', selector);
  return jobs.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

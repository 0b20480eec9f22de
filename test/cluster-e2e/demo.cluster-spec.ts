import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { metricValue, type Session, type StoredEvent } from '@fleet/contracts/sessions';
import { useFolder } from '@fleet/testing';
import { script } from '../e2e/standalone';
import { isSimulated, programsOf } from '../e2e/outcome';

interface SeenPod {
  readonly podUid: string;
  readonly phase: string;
  readonly uid: number;
  readonly readOnlyRoot: boolean;
  readonly serviceAccountToken: boolean;
  readonly restarts: number;
}

interface SeenJob {
  readonly job: string;
  readonly cycle: number;
  readonly program: string;
  /** ISO 8601, whole seconds. */
  readonly createdAt: string;
  readonly pods: readonly SeenPod[];
}

interface SeenSession {
  readonly record: Session;
  readonly jobs: readonly SeenJob[];
  /** Between the record and the cluster, in sentences. */
  readonly differences: readonly string[];
}

/** What `demo-cluster.mjs --only-upgrade --json` writes. */
interface SeenDemo {
  readonly second: SeenSession & {
    readonly owners: readonly { readonly log: string; readonly uid: number }[];
    /** What Helm printed, its hooks' words among it. */
    readonly said: string;
    /** Each state of the launches that was seen during the upgrade. */
    readonly launches: readonly { readonly mode: string; readonly by: string; readonly since: string }[];
    /** Submitted while launches were drained. */
    readonly held: { readonly record: Session; readonly jobs: readonly SeenJob[] };
    readonly launchedMeanwhile: readonly string[];
    /** What `phx watch` told from before the upgrade to the session's end. */
    readonly watched: { readonly code: number; readonly events: readonly StoredEvent[] };
    readonly inFlight: readonly string[];
    readonly adopted: readonly string[];
    readonly replaced: readonly string[];
    readonly images: readonly { readonly pod: string; readonly image: string }[];
  };
  readonly removal: { readonly before: readonly string[]; readonly left: readonly string[] };
}

interface TableRow {
  readonly program: string;
  readonly rFree: number | undefined;
}

/** The outcome of the local demo: the data set's table in scripts/real-runs/results.md, which `node scripts/real-runs.mjs` writes. */
const localOutcome = (dataset: string): readonly TableRow[] => {
  const text = readFileSync(path.resolve(__dirname, '../../scripts/real-runs/results.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${dataset}\n`)) ?? '';
  return [...section.matchAll(/^\| \d+ \| (\S+) \|.*$/gm)].map(([row, program = '']) => {
    const [, rFree] = /\br_free ([\d.]+)/.exec(row) ?? [];
    return { program, rFree: rFree === undefined ? undefined : Number(rFree) };
  });
};

/** Whom the demo's proposal runs as. */
const proposalUid = 21_001;

/**
 * The fleet as it is installed: chart, images, a real node. One session is solved, and the fleet upgraded in its third cycle; each
 * promise is looked up in what the demo saw. The campaign is in campaign.long-spec.ts.
 * @needs cluster-parts: it loads images. @needs buildah: it builds them.
 */
describe('npm run demo:cluster -- --only-upgrade', () => {
  const folder = useFolder('file');
  let code: number;
  let output: string;
  let seen: SeenDemo;

  beforeAll(async () => {
    const outcome = path.join(folder, 'outcome.json');
    const result = await script('demo-cluster.mjs', [
      '--only-upgrade',
      ...['--work', path.join(folder, 'fleet'), '--json', outcome],
    ]);
    ({ code } = result);
    output = `${result.stdout}\n${result.stderr}`;
    if (!existsSync(outcome)) throw new Error(`the demo ended with ${String(code)}:\n${output}`);
    seen = JSON.parse(readFileSync(outcome, 'utf8')) as SeenDemo;
  }, 2_400_000);

  it('ends well, and says so', () => {
    if (code !== 0) throw new Error(`the demo ended with ${String(code)}:\n${output}`);
  });

  it('solves the structure through the Service, as the local demo does: the same programs, with the same R-free', () => {
    const { record } = seen.second;
    expect(record.status).toBe('completed');
    expect(isSimulated(record)).toBe(false);
    const local = localOutcome('nutlin');
    expect(programsOf(record)).toEqual(local.map(({ program }) => program));
    record.cycles.forEach((cycle, index) => {
      const [here, there] = [metricValue(cycle.result, 'r_free'), local[index]?.rFree];
      expect(here === undefined).toBe(there === undefined);
      expect(Math.abs((here ?? 0) - (there ?? 0))).toBeLessThan(0.01);
    });
  });

  it('runs each program in one pod of its own: the user of the proposal, a read-only root, no token', () => {
    const { jobs, record } = seen.second;
    expect(jobs.map(({ program }) => program)).toEqual(programsOf(record));
    for (const { pods } of jobs) {
      expect(pods).toEqual([
        expect.objectContaining({ uid: proposalUid, readOnlyRoot: true, serviceAccountToken: false, restarts: 0 }),
      ]);
    }
  });

  it('wrote what it made as that user', () => {
    expect(seen.second.owners.length).toBeGreaterThanOrEqual(seen.second.jobs.length);
    expect(new Set(seen.second.owners.map(({ uid }) => uid))).toEqual(new Set([proposalUid]));
  });

  it('is upgraded with a program at work: all pods of the services are new, the program continues in its pod', () => {
    const { replaced, images, inFlight, adopted } = seen.second;
    const services = images.filter(({ image }) => image.includes('/service:'));
    expect(services.length).toBeGreaterThanOrEqual(4);
    expect(services.every(({ image }) => image.endsWith(':demo-next'))).toBe(true);
    expect(replaced.length).toBeGreaterThanOrEqual(4);
    expect(inFlight.length).toBeGreaterThan(0);
    expect(adopted).toEqual(inFlight);
  });

  it('is drained by the hook for as long as the upgrade takes: nothing is launched, and then what was submitted meanwhile', () => {
    const { launches, said, held, launchedMeanwhile } = seen.second;
    expect(launches.map(({ mode }) => mode)).toEqual(['open', 'draining', 'open']);
    expect(launches.slice(1).map(({ by }) => by)).toEqual(['administrator', 'administrator']);
    expect(said).toContain('No new program starts.');
    expect(said).toContain('Programs start again.');
    expect(launchedMeanwhile).toEqual([]);
    const opened = Math.floor(Date.parse(launches[2]?.since ?? '') / 1000) * 1000;
    expect(Date.parse(held.record.createdAt)).toBeLessThan(opened);
    expect(held.jobs).toHaveLength(1);
    expect(Date.parse(held.jobs[0]?.createdAt ?? '')).toBeGreaterThanOrEqual(opened);
    expect(held.record.cycles.map(({ result }) => result?.outcome)).toEqual(['success']);
  });

  it('is watched through the upgrade: each event once, in order, to the end', () => {
    const { code: watchCode, events } = seen.second.watched;
    expect(watchCode).toBe(0);
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(events.filter(({ type }) => type === 'attempt_ended').map(({ cycle }) => cycle)).toEqual(
      seen.second.record.cycles.map(({ cycle }) => cycle),
    );
    expect(events.at(-1)?.type).toBe('session_ended');
  });

  it('loses nothing and does nothing twice by the upgrade', () => {
    const { record } = seen.second;
    expect(record.cycles.map(({ attempts }) => attempts.length)).toEqual(record.cycles.map(() => 1));
    expect(seen.second.differences).toEqual([]);
  });

  it('leaves no Job behind when it is uninstalled with one at work', () => {
    expect(seen.removal.before.length).toBeGreaterThan(0);
    expect(seen.removal.left).toEqual([]);
  });
});

import type { Session } from '@fleet/contracts';
import { cluster, loadImages } from '../cluster-e2e/cluster-ground';
import { rowOf, tried, type Source, type Target } from './flows';
import { InstalledFleet } from './installed-fleet';

const engine = 'kube-router';
/** Rules follow a new pod within this; milliseconds. */
const untilEnforcedMs = 30_000;

/** What is tried, from every source. */
const targets = [
  'redis',
  'gateway',
  'API server',
  "a worker's health",
  'a program',
  'another pod',
  'the node',
  'names',
];

/** `+` passes, `-` is refused, `.` is the source itself; in the order of the targets. */
const allowed = {
  gateway: '+ . - - - - - +',
  'decision-worker': '+ - - - - - - +',
  'executor-worker': '+ - + - - - - +',
  'log-analysis-worker': '+ - - . - - - +',
  'a program': '- - - - . - - -',
  "a pod of the release's namespace": '- + + - - + + +',
  'a pod of a namespace that may reach the gateway': '- + + - - + + +',
  'any other pod': '- - + - - . + +',
};

type Rows = Readonly<Record<string, string>>;

/**
 * The chart's NetworkPolicies where they count: installed, used and measured under the rules of a real engine, and measured
 * again without it, where every flow passes.
 * @needs cluster-parts @needs cluster-tools @needs kube-router @needs buildah
 */
describe('an installation whose network policies are enforced', () => {
  let fleet: InstalledFleet;
  let session: Session;
  let hadEngine: boolean;

  beforeAll(async () => {
    await loadImages('service', 'redis', 'open-phenix');
    const { parts } = JSON.parse(await cluster('status', '--json')) as { parts: Record<string, unknown> };
    hadEngine = engine in parts;
    await cluster('start', engine);
    fleet = await InstalledFleet.prepare();
    await fleet.install();
  }, 300_000);
  afterAll(async () => {
    await fleet.end();
    await cluster(hadEngine ? 'start' : 'remove', engine);
  });

  it('is well: helm test reaches the gateway, the gateway Redis, and the executor has asked for its programs', async () => {
    expect(await fleet.test()).toMatch(/[1-9]\d* of \d+ programs are installed/);
  });

  it('runs a session to its end for a client in a namespace that may reach the gateway', async () => {
    session = await fleet.session();
    expect(session.cycles.map(({ result }) => result?.outcome)).toEqual(['success']);
  });

  describe('every flow', () => {
    let sources: ReadonlyMap<string, Source>;
    let addresses: ReadonlyMap<string, Target>;

    beforeAll(async () => {
      const program = await fleet.programLike(session.id);
      await fleet.untilReady(fleet.neighbour, fleet.friend, fleet.stranger);
      const services = ['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'];
      const pods = await Promise.all(services.map((service) => fleet.podOf(service)));
      sources = new Map(
        Object.keys(allowed).map((name, index): [string, Source] => [
          name,
          [...pods, program, fleet.neighbour, fleet.friend, fleet.stranger][index]!,
        ]),
      );
      const found = await Promise.all([
        fleet.serviceAt(fleet.redisService, 6379),
        fleet.serviceAt(fleet.gatewayService, 80),
        fleet.serviceAt('kubernetes', 443, 'default'),
        fleet.addressOf(pods[3]!, 8081),
        fleet.addressOf(program),
        fleet.addressOf(fleet.stranger),
        fleet.nodeAt(10_250),
        Promise.resolve('kubernetes.default.svc.cluster.local'),
      ]);
      addresses = new Map(targets.map((target, index): [string, Target] => [target, found[index]!]));
    });

    /** The whole table as it is now. */
    const measured = async (): Promise<Rows> => {
      const rows = Object.entries(allowed).map(async ([name, row]): Promise<[string, string]> => {
        const marks = row.split(' ');
        const asked = targets.map((target, index) => (marks[index] === '.' ? undefined : addresses.get(target)));
        return [name, rowOf(await tried(fleet.ground, sources.get(name)!, asked))];
      });
      return Object.fromEntries(await Promise.all(rows));
    };
    /** Once it is as it has to be; else as it was last. */
    const settled = async (expected: Rows): Promise<Rows> => {
      const deadline = Date.now() + untilEnforcedMs;
      let seen = await measured();
      while (JSON.stringify(seen) !== JSON.stringify(expected) && Date.now() < deadline) seen = await measured();
      return seen;
    };

    it('passes if it is in the table, and is refused otherwise', async () => {
      expect(await settled(allowed)).toEqual(allowed);
    });

    it('is what the hooks of an upgrade need: they drain the fleet and open it again', async () => {
      const said = await fleet.upgrade();
      expect(said).toContain('No new program starts.');
      expect(said).toContain('Programs start again.');
    });

    it('passes where nobody enforces the policies: they are what refuses', async () => {
      await cluster('remove', engine);
      const open = Object.fromEntries(Object.entries(allowed).map(([name, row]) => [name, row.replaceAll('-', '+')]));
      expect(await settled(open)).toEqual(open);
    });
  });
});

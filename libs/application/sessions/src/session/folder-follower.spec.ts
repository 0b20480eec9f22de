import type { Session } from '@fleet/contracts/sessions';
import type { NewSession, SessionFolderPort } from '@fleet/ports';
import {
  aCycle,
  aGuidance,
  aNewSession,
  anEvent,
  aResult,
  ManualClock,
  useStores,
  type TestStore,
} from '@fleet/testing';
import { FolderFollower } from './folder-follower';

const newStore = useStores();

/** Followers of the sessions of one store, and the files on disk. */
class Scene {
  readonly clock = new ManualClock();
  readonly store: TestStore = newStore(this.clock);
  /** `session.json` and the summary, by session id. */
  readonly disk = new Map<string, Session>();
  readonly summaries = new Map<string, string>();
  readonly unwritten: string[] = [];
  readonly made: NewSession;
  /** Runs during the next write. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();

  constructor(resume?: NewSession['resume']) {
    this.made = aNewSession(resume === undefined ? {} : { resume });
  }

  private readonly folder: Pick<SessionFolderPort, 'writeSession' | 'writeSummary'> = {
    writeSession: async (session) => {
      const { meanwhile } = this;
      this.meanwhile = () => Promise.resolve();
      await meanwhile();
      this.disk.set(session.id, session);
    },
    writeSummary: (session, markdown) => {
      this.summaries.set(session.id, markdown);
      return Promise.resolve('');
    },
  };

  async begin(): Promise<this> {
    await this.store.records.create(this.made, [], 1_000);
    return this;
  }

  follower(): FolderFollower {
    return new FolderFollower({
      owed: this.store.owedFiles,
      records: this.store.records,
      folder: this.folder,
      knowledge: { summary: ({ status, version }) => `${status} ${String(version)}` },
      onUnwritten: (id) => this.unwritten.push(id),
    });
  }

  /** Runs the follower until it is idle. Returns whether any files were due. */
  async follow(): Promise<boolean> {
    let wasOwed = false;
    while (await this.follower().look()) wasOwed = true;
    return wasOwed;
  }

  async advance(fromVersion: number, more: object = {}): Promise<void> {
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    const move = { sessionId: this.made.id, fromVersion, to, events: [], dueInMs: 1_000, ...more };
    await expect(this.store.records.advance(move)).resolves.toMatchObject({ applied: true });
  }

  get written(): Session | undefined {
    return this.disk.get(this.made.id);
  }
}

const aScene = (): Promise<Scene> => new Scene().begin();
const stop = { reason: 'plateau', detail: 'done', afterCycle: 1 } as const;

describe('the record files of a session', () => {
  it('are written after its creation, and not again without a change', async () => {
    const scene = await aScene();
    expect([await scene.follow(), await scene.follow()]).toEqual([true, false]);
    expect(scene.written).toEqual(await scene.store.records.load(scene.made.id));
  });

  it('have a summary as soon as there is work to sum up', async () => {
    const scene = await aScene();
    await scene.follow();
    expect(scene.summaries.has(scene.made.id)).toBe(false);
    await scene.advance(1, { cycleRecord: aCycle({ result: aResult() }) });
    await scene.follow();
    expect(scene.summaries.get(scene.made.id)).toBe('running 2');
  });

  it('have a summary at once where a session begins with cycles, as a fork does', async () => {
    const position = { status: 'running', stage: 'deciding', cycle: 2, attempt: 1 } as const;
    const scene = await new Scene({ ...position, cycles: [aCycle({ result: aResult() })] }).begin();
    await scene.follow();
    expect(scene.summaries.get(scene.made.id)).toBe('running 1');
  });

  it.each<[string, boolean, (scene: Scene) => Promise<unknown>]>([
    ['is decided', false, (scene) => scene.advance(1, { cycleRecord: { ...aCycle(), result: undefined } })],
    ['has a complete cycle', true, (scene) => scene.advance(1, { cycleRecord: aCycle({ result: aResult() }) })],
    ['ends', true, (scene) => scene.advance(1, { to: { ended: stop } })],
    ['is to be cancelled', true, ({ store, made }) => store.records.requestCancel(made.id, anEvent())],
    [
      'is advised',
      true,
      ({ store, made }) => {
        const from = { stage: 'deciding', cycle: 1, revision: 1 } as const;
        return store.records.advise({ sessionId: made.id, from, guidance: aGuidance({ revision: 2 }), events: [] });
      },
    ],
    [
      'has another priority',
      true,
      ({ store, made: { id, request } }) =>
        store.records.prioritise({ sessionId: id, fromVersion: 1, request, events: [], dueInMs: 1 }),
    ],
  ])('are written when the session %s: %s', async (_, isOwed, change) => {
    const scene = await aScene();
    await scene.follow();
    await change(scene);
    expect(await scene.follow()).toBe(isOwed);
    const { guidance, status, version } = (await scene.store.records.load(scene.made.id))!;
    expect(scene.written).toMatchObject(isOwed ? { status, version, ...(guidance && { guidance }) } : { version: 1 });
  });

  it('are those of its last transition, even of one during a write', async () => {
    const scene = await aScene();
    scene.meanwhile = () => scene.advance(1, { to: { ended: stop } });
    await scene.follow();
    expect(scene.written).toMatchObject({ status: 'completed', version: 2 });
    expect(scene.summaries.get(scene.made.id)).toBe('completed 2');
  });

  it('stay due if they cannot be written, and are written by a later check', async () => {
    const scene = await aScene();
    scene.meanwhile = () => Promise.reject(new Error('no space left on device'));
    await scene.follow();
    expect([scene.unwritten, scene.written]).toEqual([[scene.made.id], undefined]);
    scene.clock.forward(30_000);
    await scene.follow();
    expect(scene.written).toMatchObject({ version: 1 });
  });

  it('are written by one follower at a time', async () => {
    const scene = await aScene();
    scene.meanwhile = async () => {
      expect(await scene.follower().look()).toBe(false);
    };
    await scene.follow();
    expect([scene.unwritten, scene.written]).toMatchObject([[], { version: 1 }]);
  });

  it('are those of the last transition even if a slow follower overwrites them with an earlier one', async () => {
    const scene = await aScene();
    scene.meanwhile = async () => {
      await scene.advance(1, { to: { ended: stop } });
      scene.clock.forward(30_000);
      await scene.follow();
      expect(scene.written).toMatchObject({ version: 2 });
    };
    await scene.follower().look();
    expect(scene.written).toMatchObject({ version: 1 });
    await scene.follow();
    expect(scene.written).toMatchObject({ version: 2 });
  });

  it('are not written while its folder is deleted', async () => {
    const scene = await aScene();
    await scene.advance(1, { to: { ended: stop } });
    const begun = await scene.store.retention.begin(scene.made.id, { rule: 'x', record: false }, false);
    expect([begun, await scene.follow()]).toEqual([true, false]);
    expect(scene.written).toBeUndefined();
  });
});

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WholeSession } from '@fleet/ports';
import { aCycle, anEvent, aSession } from '@fleet/testing';
import { SessionArchiveFolder } from './session-archive-folder';
import { keyOf } from './session-signature';

const top = mkdtempSync(join(tmpdir(), 'fleet-archive-'));
const root = join(top, 'work');
const warnings: string[] = [];
const keys = [keyOf(Buffer.alloc(32, 1))];
const folder = new SessionArchiveFolder(root, { keys, onWarning: (message) => warnings.push(message) });

beforeEach(() => {
  mkdirSync(root);
  warnings.length = 0;
});
afterEach(() => {
  rmSync(root, { recursive: true });
});
afterAll(() => {
  rmSync(top, { recursive: true });
});

const aWhole = (changes: Partial<WholeSession> = {}): WholeSession => {
  const session = aSession({
    status: 'completed',
    version: 9,
    cycles: [aCycle()],
    stop: { reason: 'converged', detail: 'done', afterCycle: 1 },
  });
  return {
    session: { ...session, folder: join(root, 'mx1', session.id) },
    events: [
      { ...anEvent({ message: 'first' }), id: '1795331757345-0' },
      { ...anEvent({ message: 'second\nline' }), id: '1795331757345-1' },
    ],
    transitions: ['2 1.1 deciding->executing'],
    ...changes,
  };
};

describe('the folder of an archived session', () => {
  it('gives back record, events and transitions as they were', async () => {
    const whole = aWhole();
    const proof = await folder.keep(whole);
    expect(proof.version).toBe(9);
    await expect(folder.record(whole.session.folder, proof)).resolves.toEqual(whole.session);
    const { events, transitions } = await folder.history(whole.session.folder, proof);
    expect({ events, transitions }).toEqual({ events: whole.events, transitions: whole.transitions });
    expect(readdirSync(whole.session.folder).sort()).toEqual(['events.jsonl', 'session.json']);
  });

  it('holds a session without events', async () => {
    const whole = aWhole({ events: [], transitions: [] });
    const proof = await folder.keep(whole);
    await expect(folder.history(whole.session.folder, proof)).resolves.toMatchObject({ events: [], transitions: [] });
  });

  it('may be written again: the same content is the same proof', async () => {
    const whole = aWhole();
    await expect(folder.keep(whole)).resolves.toEqual(await folder.keep(whole));
  });

  it('is not taken for a proof where the record in it is none that could be read', async () => {
    const whole = aWhole();
    await expect(folder.keep({ ...whole, session: { ...whole.session, status: 'running' } })).rejects.toMatchObject({
      code: 'session_file.damaged',
      problems: [{ field: 'session.stop', reason: 'does not fit the status running' }],
    });
  });

  it.each(['session.json', 'events.jsonl'])('says that a newer release has written a %s', async (name) => {
    const whole = aWhole();
    const proof = await folder.keep(whole);
    const path = join(whole.session.folder, name);
    const text = readFileSync(path, 'utf8').replace(/"schemaVersion": ?1/, '"schemaVersion":2');
    writeFileSync(path, text);
    const digest = createHash('sha256').update(text).digest('hex');
    const newer = { ...proof, record: digest, events: digest };
    const { folder: home } = whole.session;
    await expect(
      name === 'session.json' ? folder.record(home, newer) : folder.history(home, newer),
    ).rejects.toMatchObject({ code: 'session_file.newer' });
  });

  it('gives the record of an older release the defaults of what that did not know', async () => {
    const whole = aWhole();
    const proof = await folder.keep(whole);
    const path = join(whole.session.folder, 'session.json');
    const older = JSON.parse(readFileSync(path, 'utf8')) as { session: { request: { settings: object } } };
    older.session.request.settings = {};
    const text = JSON.stringify(older);
    writeFileSync(path, text);
    const record = createHash('sha256').update(text).digest('hex');
    const { request } = await folder.record(whole.session.folder, { ...proof, record });
    expect(request.settings).toEqual(whole.session.request.settings);
  });

  it('says what to do where it is gone', async () => {
    const whole = aWhole();
    const proof = await folder.keep(whole);
    rmSync(whole.session.folder, { recursive: true });
    const refused = {
      code: 'archive.missing',
      message: expect.stringMatching(/Restore the folder .* from a backup/) as string,
    };
    await expect(folder.record(whole.session.folder, proof)).rejects.toMatchObject(refused);
    await expect(folder.history(whole.session.folder, proof)).rejects.toMatchObject(refused);
  });

  it.each(['session.json', 'events.jsonl'])('does not take a changed %s for what was archived', async (name) => {
    const whole = aWhole();
    const proof = await folder.keep(whole);
    const path = join(whole.session.folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace('mx1', 'mx2').replace('first', 'other'));
    const { folder: home } = whole.session;
    const read = name === 'session.json' ? folder.record(home, proof) : folder.history(home, proof);
    await expect(read).rejects.toMatchObject({ code: 'archive.altered' });
  });

  it('keeps the events that an archive before the loss of the store has kept', async () => {
    const whole = aWhole();
    await folder.keep(whole);
    const event = { ...anEvent({ type: 'session_recovered' }), id: '1795400000000-0' };
    const rebuilt = { ...whole, events: [event], transitions: ['2 2.1 deciding->executing'] };
    const proof = await folder.keep(rebuilt);
    const { events, transitions } = await folder.history(whole.session.folder, proof);
    expect(events).toEqual([...whole.events, event]);
    expect(transitions).toEqual([...whole.transitions, ...rebuilt.transitions]);
  });

  it.each([
    [
      'nobody here has signed',
      (path: string) => {
        writeFileSync(path, forged(path));
      },
    ],
    [
      'is a link',
      (path: string) => {
        symlinkSync('/etc/passwd', path);
      },
    ],
    [
      'is a folder',
      (path: string) => {
        mkdirSync(path);
      },
    ],
  ])('takes no events from a file that %s, and puts it aside', async (_, put) => {
    const whole = aWhole();
    mkdirSync(whole.session.folder, { recursive: true });
    put(join(whole.session.folder, 'events.jsonl'));
    const proof = await folder.keep(whole);
    const { events } = await folder.history(whole.session.folder, proof);
    expect(events).toEqual(whole.events);
    expect(warnings).toEqual([
      expect.stringMatching(/is not what this installation wrote; it is events.jsonl.was-in-the-way/),
    ]);
  });
});

const forged = (path: string): string => {
  const id = path.split('/').at(-2) ?? '';
  const header = { schemaVersion: 1, session: id, version: 9, events: 1, transitions: 0 };
  return `${JSON.stringify(header)}\n${JSON.stringify({ ...anEvent(), id: '1-0' })}\n`;
};

import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredReply } from '@fleet/ports';
import { aSession, useFolder } from '@fleet/testing';
import { ModelReplyFolder } from './model-reply-folder';
import { keyOf, type InstallationKey } from './session-signature';

const [ours, theirs] = [keyOf(Buffer.alloc(32, 7)), keyOf(Buffer.alloc(32, 8))];
const work = 'c003-plan-0f3a';
const reply: StoredReply = {
  target: 'site',
  model: 'qwen3',
  text: '{"program":"phenix.refine"}\n\u202e',
  finish: 'stop',
  usage: { inputTokens: 120, outputTokens: 34 },
  asked: [
    { role: 'system', text: 'You choose.' },
    { role: 'user', text: '## Menu\n- phenix.refine' },
  ],
};

describe('ModelReplyFolder', () => {
  const root = useFolder();
  let warnings: string[];
  const base = aSession();
  const session = () => ({ ...base, folder: join(root, base.request.proposal, base.id) });
  const folderOf = (keys: readonly InstallationKey[] = [ours]): ModelReplyFolder =>
    new ModelReplyFolder(root, { keys, onWarning: (message) => void warnings.push(message) });
  const file = (): string => join(session().folder, 'models', `${work}.json`);
  beforeEach(() => {
    mkdirSync(session().folder, { recursive: true });
    warnings = [];
  });

  it.each([
    ['signed', [ours]],
    ['without a key', []],
  ] as const)('returns what it stored: %s', async (_how, keys) => {
    expect(await folderOf(keys).find(session(), work)).toBeUndefined();
    await folderOf(keys).keep(session(), work, reply);
    expect(await folderOf(keys).find(session(), work)).toEqual(reply);
    expect(warnings).toEqual([]);
    expect(readdirSync(join(session().folder, 'models'))).toEqual([`${work}.json`]);
  });

  it('returns a reply of an older release, which did not store the prompt', async () => {
    const older = { target: 'site', model: 'qwen3', text: 'prose', finish: 'stop', usage: {} } as const;
    await folderOf().keep(session(), work, older);
    expect(await folderOf().find(session(), work)).toEqual(older);
  });

  it('keeps an existing reply: it was paid for and used', async () => {
    await folderOf().keep(session(), work, reply);
    await folderOf().keep(session(), work, { ...reply, text: 'another' });
    expect(await folderOf().find(session(), work)).toEqual(reply);
  });

  const beef = (): string => file().replace('0f3a', 'beef');
  const changed: readonly (readonly [string, (text: string) => string, RegExp])[] = [
    ['one that somebody changed', (text) => text.replace('refine', 'polder'), /altered/],
    ['one without a signature', () => JSON.stringify({ reply }), /unsigned/],
    ['one of another work', () => readFileSync(beef(), 'utf8'), /altered/],
    ['what is not a reply', () => '{"reply":{"text":1}}', /not a valid reply/],
    ['what is not JSON', () => '{', /not JSON/],
  ];

  it.each(changed)('returns nothing for %s', async (_what, change, why) => {
    await folderOf().keep(session(), work, reply);
    await folderOf().keep(session(), work.replace('0f3a', 'beef'), reply);
    writeFileSync(file(), change(readFileSync(file(), 'utf8')));
    expect(await folderOf().find(session(), work)).toBeUndefined();
    expect(warnings.join()).toMatch(why);
  });

  it('returns nothing for one of another installation, or behind a link', async () => {
    await folderOf([theirs]).keep(session(), work, reply);
    expect(await folderOf().find(session(), work)).toBeUndefined();
    rmSync(file());
    symlinkSync('/etc/hostname', file());
    expect(await folderOf().find(session(), work)).toBeUndefined();
    expect(warnings).toEqual([
      expect.stringContaining('its signature is unknown_key') as string,
      expect.stringContaining('link') as string,
    ]);
  });
});

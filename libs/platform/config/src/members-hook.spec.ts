import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { AccessConfig } from './access-sections';
import { loadConfig } from './load-config';
import { membersHookOf } from './members-hook';

describe('the HTTP API of the user office', () => {
  const root = useFolder();
  beforeEach(() => mkdirSync(join(root, 'work')));
  const url = 'https://office.example.org/members';
  const hook = (env: Readonly<Record<string, string>>, file?: string): ReturnType<typeof membersHookOf> =>
    membersHookOf(loadConfig(AccessConfig, env), { file, workRoot: join(root, 'work') });
  const tokenFile = (content: string, folder = ''): string => {
    const path = join(root, folder, 'token');
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };

  it('is unset by default, and reads its token from a file', () => {
    expect(hook({})).toBeUndefined();
    expect(hook({ FLEET_PROPOSAL_MEMBERS_URL: url })).toEqual({ url, freshMs: 300_000 });
    const env = {
      FLEET_PROPOSAL_MEMBERS_URL: url,
      FLEET_PROPOSAL_MEMBERS_TOKEN_FILE: tokenFile('abc.def\n'),
      FLEET_PROPOSAL_MEMBERS_FRESH_S: '60',
    };
    expect(hook(env)).toEqual({ url, token: 'abc.def', freshMs: 60_000 });
  });

  it.each([
    'http://office.example.org/members',
    'https://office.example.org/members?x=1',
    'https://ada:secret@office.example.org/members',
    'file:///etc/passwd',
    'office.example.org',
  ])('is never at %s', (address) => {
    expect(() => hook({ FLEET_PROPOSAL_MEMBERS_URL: address })).toThrow('FLEET_PROPOSAL_MEMBERS_URL');
  });

  it('excludes a file, and its token needs it', () => {
    expect(() => hook({ FLEET_PROPOSAL_MEMBERS_URL: url }, '/members.json')).toThrow('set only one');
    expect(() => hook({ FLEET_PROPOSAL_MEMBERS_TOKEN_FILE: tokenFile('abc') })).toThrow('set both or none');
  });

  it.each([
    ['of two lines', 'abc\ndef', ''],
    ['that is empty', '\n', ''],
    ['in the work folder', 'abc', 'work'],
  ])('rejects a token %s, and shows none', (_, content, folder) => {
    const env = { FLEET_PROPOSAL_MEMBERS_URL: url, FLEET_PROPOSAL_MEMBERS_TOKEN_FILE: tokenFile(content, folder) };
    expect(() => hook(env)).toThrow('FLEET_PROPOSAL_MEMBERS_TOKEN_FILE');
    expect(() => hook(env)).not.toThrow('abc');
  });
});

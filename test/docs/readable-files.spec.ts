import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { anyone, mayRead, type DataOwner } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { ruleOf, scopesOfRole, type PrincipalRole } from '@fleet/contracts/route';

const document = resolve(__dirname, '../../docs/security.md');

/** Whose files there are, seen by a member of proposal `mine` and, if their role has one, of beamline `here`. */
const owners: Readonly<Record<string, DataOwner>> = {
  'common files (`FLEET_SHARED_ROOTS`)': { of: 'everybody' },
  'raw data of an own proposal': { of: 'proposal', proposal: 'mine', membersOnly: false },
  'raw data of others, taken at an own beamline': {
    of: 'proposal',
    proposal: 'theirs',
    beamline: 'here',
    membersOnly: false,
  },
  'raw data of others, assigned to an own beamline': {
    of: 'proposal',
    proposal: 'visitors',
    membersOnly: false,
  },
  'other raw data': { of: 'proposal', proposal: 'theirs', beamline: 'elsewhere', membersOnly: false },
  'a folder of no proposal': { of: 'administrators' },
  'results of an own proposal': { of: 'proposal', proposal: 'mine', membersOnly: true },
  'results of others': { of: 'proposal', proposal: 'visitors', membersOnly: true },
};

const roles: readonly PrincipalRole[] = ['user', 'staff', 'service', 'kiosk', 'admin'];
const principals: readonly (readonly [string, Principal])[] = [
  ...roles.map((role): readonly [string, Principal] => [
    `\`${role}\``,
    { id: 'ada', role, proposals: ['mine'], beamlines: ['here'], scopes: scopesOfRole(role) },
  ]),
  ['open gateway', anyone],
];
const beamlinesOf = (proposal: string): Promise<readonly string[]> =>
  Promise.resolve(proposal === 'visitors' ? ['here'] : []);

const cellOf = async (principal: Principal, owner: DataOwner): Promise<string> =>
  ruleOf('folder.read').roles.includes(principal.role) && (await mayRead(principal, owner, beamlinesOf)) ? 'yes' : '–';

const table = async (): Promise<readonly (readonly string[])[]> => [
  ['files', ...principals.map(([name]) => name)],
  ...(await Promise.all(
    Object.entries(owners).map(async ([name, owner]) => [
      name,
      ...(await Promise.all(principals.map(([, principal]) => cellOf(principal, owner)))),
    ]),
  )),
];

it('docs/security.md has the table of file permissions that the code implements', async () => {
  const [, written = ''] = readFileSync(join(document), 'utf8').split(
    /<!-- generated: test\/docs\/readable-files.spec.ts -->|<!-- end of generated -->/,
  );
  const rows = written
    .trim()
    .split('\n')
    .filter((line) => !/^\|[ -|]+\|$/.test(line) || /[a-z]/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(await table());
});

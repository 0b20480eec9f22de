import { isWithinReach, may } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import {
  actionRules,
  actions,
  principalRoles,
  scopesOfRole,
  type PrincipalRole,
  type Route,
} from '@fleet/contracts/route';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { DecisionsModule } from '../../apps/gateway/src/routes/decisions/decisions.module';
import { DECISION_DESK } from '../../apps/gateway/src/routes/decisions/decisions.controller';
import { KeyedGateway } from '../api/keyed-gateway';
import type { JsonAnswer, Method } from '../api/harness-options';
import { creationHeaders } from '../api/upload-client';
import { expectPage } from './generated-page';

const preamble = `# Permissions

Generated from the routes and the policy (\`libs/domain/access\`) by \`test/docs/permissions.spec.ts\` (regenerate with
\`FLEET_WRITE_DOCS=1\`), which sends each request with a key of each role and compares.

For administrators and programmers. A session, batch or upload is _own_ if its proposal is one of the key's owner, a session also if it is of
a beamline of staff, screens and services, a webhook if what it watches is own. All others are _foreign_: they look missing (404) and are in
no list. Once a key exists, a request without a valid key gets 401, unless the route is open.
`;

interface Address {
  readonly method: Method;
  readonly path: string;
  readonly requires: Route['permission'] | undefined;
}
type Answer = 'yes' | '401' | '403' | '404';
const owns = ['own', 'foreign'] as const;
const proposals = { own: 'mx1', foreign: 'mx2' } as const;

const of = (role: PrincipalRole): Principal => {
  const own = role === 'admin' ? { proposals: [], beamlines: [] } : { proposals: ['mx1'], beamlines: [] };
  return { id: role, role, scopes: scopesOfRole(role), ...own };
};

const isOn = ({ requires }: Address): string =>
  requires === undefined || requires === 'open' ? 'service' : actionRules[requires].on;
const isOfOne = (address: Address): boolean => isOn(address) !== 'service' && address.path.includes('{id}');

/** What the policy says: a foreign session is missing, a foreign proposal is refused. */
const expected = (address: Address, role: PrincipalRole, whose: (typeof owns)[number]): Answer => {
  const { requires } = address;
  if (requires === undefined) throw new Error(`${address.path} does not say what it asks for`);
  if (requires === 'open') return 'yes';
  if (isOn(address) === 'service') return may(of(role), requires) ? 'yes' : '403';
  if (may(of(role), requires, { proposal: proposals[whose], beamline: '' })) return 'yes';
  return isOfOne(address) && !isWithinReach(of(role), { proposal: proposals[whose], beamline: '' }) ? '404' : '403';
};

const answerOf = ({ status, json, text }: JsonAnswer): Answer => {
  if (status === 401) return '401';
  if (status !== 403 && status !== 404) return 'yes';
  // HEAD has no body.
  if (text === '') return status === 403 ? '403' : '404';
  const { code } = json() as ProblemDetails;
  if (code === 'access.denied') return '403';
  return ['session', 'batch', 'webhook', 'upload'].some((one) => code === `${one}.not_found`) ? '404' : 'yes';
};

const cell = (address: Address, role: PrincipalRole): string => {
  const [own, foreign] = owns.map((whose) => expected(address, role, whose));
  return own === foreign ? (own ?? '') : `${own ?? ''}, foreign: ${foreign ?? ''}`;
};

describe('docs/reference/permissions.md', () => {
  let addresses: readonly Address[];
  const keys: Partial<Record<PrincipalRole, Record<string, string>>> = {};
  const keyed = useStarted('file', () => {
    const answer = (): Promise<object> => Promise.resolve({ error: null });
    const desk = { provide: DECISION_DESK, useFactory: () => ({ answer, answerEncoded: answer, replay: answer }) };
    const uploads = { maxFileBytes: 100, maxDayBytes: 1000, keepHours: 1 };
    return KeyedGateway.withKeys({}, { imports: [DecisionsModule.forRoot(desk as never)], options: { uploads } });
  });
  beforeAll(async () => {
    for (const role of principalRoles) {
      const { proposals: theirs } = of(role);
      keys[role] = await keyed.key(role, role, { proposals: theirs });
    }
    const document = (await keyed.get('/docs-json')).json() as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, { readonly 'x-requires'?: Route['permission'] }>>>
      >;
    };
    addresses = Object.entries(document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, described]) => ({
          method: method.toUpperCase() as Address['method'],
          path,
          requires: described['x-requires'],
        })),
      )
      .sort((one, other) => (`${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1));
  });

  const idOf = async (address: Address, whose: (typeof owns)[number]): Promise<string> => {
    if (!isOfOne(address)) return 'x';
    if (isOn(address) === 'webhook') return keyed.webhook(proposals[whose]);
    if (isOn(address) === 'upload') return keyed.upload(proposals[whose]);
    return isOn(address) === 'batch' ? keyed.batch(proposals[whose]) : keyed.session(proposals[whose]);
  };

  /** Asks as a program would that has no body at hand: what is refused is refused before a body is looked at. */
  const ask = async (address: Address, whose: (typeof owns)[number], headers = {}): Promise<Answer> => {
    const { method, path } = address;
    const id = await idOf(address, whose);
    const url = path.replace('{id}', id).replace('{cycle}', '1').replace('{path}', 'a.pdb');
    const submission = { proposal: proposals[whose], ...(isOn(address) === 'session' && { files: ['/nothing'] }) };
    const isUpload = isOn(address) === 'upload';
    const isNew = /(s|\/preview)$/.test(path) && !path.includes('{id}') && isOn(address) !== 'service';
    const body = isNew && !isUpload ? submission : undefined;
    const begins = isUpload ? creationHeaders({ proposal: proposals[whose], filename: 'a.mtz' }, 1) : {};
    const accept = { accept: 'application/json', ...begins, ...headers };
    return answerOf(await keyed.send(method, url, { headers: accept, ...(method === 'POST' && { body }) }));
  };

  it('lists the permission of every route', () => {
    expect(addresses.filter(({ requires }) => requires === undefined)).toEqual([]);
    expect(addresses.length).toBeGreaterThan(25);
    const requiredActions = new Set(addresses.map(({ requires }) => requires));
    expect(actions.filter((action) => !requiredActions.has(action))).toEqual([]);
  });

  it.each(principalRoles)('matches the responses to the role %s', async (role) => {
    for (const address of addresses) {
      for (const whose of owns) {
        const name = `${address.method} ${address.path} ${whose}`;
        expect([name, await ask(address, whose, keys[role])]).toEqual([name, expected(address, role, whose)]);
      }
    }
  });

  it('requires a key except for open routes', async () => {
    for (const address of addresses)
      expect([address.path, await ask(address, 'own')]).toEqual([
        address.path,
        address.requires === 'open' ? 'yes' : '401',
      ]);
  });

  it.each(principalRoles)('matches the event streams of the role %s', async (role) => {
    for (const whose of owns) {
      const url = `/v1/sessions/${await keyed.session(proposals[whose])}/events`;
      const headers = { accept: 'text/event-stream', ...keys[role] };
      const answer = await keyed.app.inject({ method: 'HEAD', url, headers });
      const own = role === 'kiosk' ? 403 : 200;
      expect([whose, answer.statusCode]).toEqual([whose, whose === 'foreign' && role !== 'admin' ? 404 : own]);
    }
  });

  it('matches the policy', async () => {
    const roles = principalRoles.filter((role) => role !== 'service');
    const rows = addresses.map((address) => {
      const { method, path, requires = 'open' } = address;
      return `| \`${method} ${path}\` | \`${requires}\` | ${roles.map((role) => cell(address, role)).join(' | ')} |`;
    });
    const rules = actions.map((action) => {
      const { scope, roles: who, audited, what } = actionRules[action];
      return `| \`${action}\` | ${what} | ${scope} | ${who.join(', ')} | ${audited} |`;
    });
    const text = [
      preamble,
      `| route | permission | ${roles.join(' | ')} |`,
      `| --- | --- | ${roles.map(() => '---').join(' | ')} |`,
      ...rows,
      '',
      'A key of the role `service` may do what one of `staff` may.',
      '',
      '## Actions',
      '',
      'Roles of each action, and which of its requests are in the audit log besides denied ones ([docs/audit.md](../audit.md#reads)).',
      '',
      '| action | is | scope of the key | roles | audited |',
      '| --- | --- | --- | --- | --- |',
      ...rules,
      '',
    ].join('\n');
    await expectPage('docs/reference/permissions.md', text);
    for (const address of addresses) expect(cell(address, 'service')).toBe(cell(address, 'staff'));
  });
});

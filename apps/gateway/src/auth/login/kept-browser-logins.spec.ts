import { setTimeout as pause } from 'node:timers/promises';
import { claimMappingSchema, type ClaimMapping, type Principal } from '@fleet/contracts/access';
import { scopesOfRole } from '@fleet/contracts/route';
import { withDefaults } from '@fleet/contracts/schema';
import { MemoryLoginStore } from '@fleet/redis';
import { ManualClock } from '@fleet/testing';
import { KeptBrowserLogins } from './kept-browser-logins';
import type { Granted, LoginTokens } from './login-client';

const minute = 60_000;
const claims = withDefaults(claimMappingSchema, {}) as ClaimMapping;
const ada: Principal = { id: 'ada', role: 'user', proposals: ['mx1'], beamlines: [], scopes: scopesOfRole('user') };

/** A request to the provider, answered by the test. */
interface Question {
  readonly token: string;
  readonly answer: (granted: Granted | undefined) => void;
}

const granted = (refreshToken: string, proposal: string): Granted => ({
  claims: { sub: 's', preferred_username: 'ada', proposals: [proposal] },
  idToken: undefined,
  refreshToken,
});

describe('the renewal of a login by stalled gateways', () => {
  const clock = new ManualClock();
  let store: MemoryLoginStore;
  let questions: Question[];
  let secret: string;

  /** All share the store; each queries the provider itself. */
  const aGateway = (): KeptBrowserLogins => {
    const client = {
      begin: () => Promise.reject(new Error('no login')),
      finish: () => Promise.reject(new Error('no login')),
      end: () => Promise.resolve(undefined),
      renew: ({ refreshToken = '' }: LoginTokens) =>
        new Promise<Granted | undefined>((resolve) => questions.push({ token: refreshToken, answer: resolve })),
    };
    const settings = {
      issuer: 'https://idp.example',
      claims,
      providerName: 'the facility',
      clientId: 'gateway',
      clientSecret: undefined,
      scopes: 'openid',
      publicUrl: 'https://fleet.example',
      idleMs: 30 * minute,
      longestMs: 12 * 60 * minute,
    };
    return new KeptBrowserLogins(settings, client, store, clock);
  };
  const untilQuestions = async (count: number): Promise<void> => {
    while (questions.length < count) await pause(1);
  };
  /** Two gateways that use the same refresh token, because the claim of the first has expired. */
  const twoQuestions = async (): Promise<readonly [Promise<Principal>, Promise<Principal>]> => {
    clock.forward(6 * minute);
    const slow = aGateway().principalOf(secret);
    await untilQuestions(1);
    clock.forward(minute);
    const fast = aGateway().principalOf(secret);
    await untilQuestions(2);
    return [slow, fast];
  };

  beforeEach(async () => {
    store = new MemoryLoginStore(() => clock.now());
    questions = [];
    secret = await aGateway().enter({ principal: ada, tokens: { subject: 's', refreshToken: 'r0' }, returnTo: '/' });
  });

  it('does not replace a newer answer by an older one', async () => {
    const [slow, fast] = await twoQuestions();
    questions[1]?.answer(granted('r2', 'mx2'));
    expect((await fast).proposals).toEqual(['mx2']);
    questions[0]?.answer(granted('r1', 'mx1'));
    expect((await slow).proposals).toEqual(['mx2']);
    clock.forward(6 * minute);
    const next = aGateway().principalOf(secret);
    await untilQuestions(3);
    expect(questions[2]?.token).toBe('r2');
    questions[2]?.answer(granted('r3', 'mx3'));
    expect((await next).proposals).toEqual(['mx3']);
  });

  it('does not end a login that another one has renewed', async () => {
    const [slow, fast] = await twoQuestions();
    questions[1]?.answer(granted('r2', 'mx2'));
    await fast;
    questions[0]?.answer(undefined);
    expect((await slow).proposals).toEqual(['mx2']);
    expect((await aGateway().principalOf(secret)).proposals).toEqual(['mx2']);
  });

  it('does not restore a login that was ended meanwhile', async () => {
    const [slow, fast] = await twoQuestions();
    questions[1]?.answer(undefined);
    await expect(fast).rejects.toMatchObject({ code: 'access.login_ended' });
    questions[0]?.answer(granted('r1', 'mx1'));
    await expect(slow).rejects.toMatchObject({ code: 'access.login_ended' });
    await expect(aGateway().principalOf(secret)).rejects.toMatchObject({ code: 'access.login_ended' });
  });
});

/**
 * A real identity provider (OpenID Connect), as a process of its own, so that a test can take it away. It listens on this machine
 * alone. Every login is the person that the test names, who consents. Test controls are under /test/….
 *
 *   node provider.main.mjs '{"port": 0, "audience": "fleet", "keys": […], "redirects": […]}'
 *
 * It prints its issuer when it is ready.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

const options = JSON.parse(process.argv[2]);
const state = { keys: options.keys, person: 'ada', claims: {}, accessSeconds: 300, ended: [] };
const scopes = 'openid profile offline_access';

const resource = () => ({
  scope: scopes,
  audience: options.audience,
  accessTokenFormat: 'jwt',
  accessTokenTTL: state.accessSeconds,
  jwt: { sign: { alg: state.keys[0].alg } },
});

const grantOf = async (provider, clientId, accountId) => {
  const grant = new provider.Grant({ clientId, accountId });
  grant.addOIDCScope(scopes);
  grant.addResourceScope(options.resource, scopes);
  return grant.save();
};

/** The program of a facility, phx, and the gateway as browsers log in at it. */
const clients = () =>
  [
    {
      client_id: 'program',
      client_secret: 'program-secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: state.keys[0].alg,
    },
    {
      client_id: 'phx',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: state.keys[0].alg,
    },
    {
      client_id: 'gateway',
      client_secret: 'gateway-secret',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: options.redirects ?? [],
      post_logout_redirect_uris: options.afterLogout ?? [],
      response_types: ['code'],
      id_token_signed_response_alg: state.keys[0].alg,
    },
  ].filter(({ client_id, redirect_uris }) => client_id !== 'gateway' || redirect_uris.length > 0);

const providerWith = (issuer) => {
  const provider = new Provider(issuer, {
    clients: clients(),
    jwks: { keys: state.keys },
    cookies: { keys: ['a test signs its cookies with this'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups', 'proposals', 'beamlines'] },
    conformIdTokenClaims: false,
    scopes: scopes.split(' '),
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...state.claims[id] }) }),
    extraTokenClaims: (_context, token) => state.claims[token.accountId ?? token.clientId],
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    loadExistingGrant: async (context) => {
      const { client, session } = context.oidc;
      const id = session.grantIdFor(client.clientId) ?? (await grantOf(provider, client.clientId, session.accountId));
      return provider.Grant.find(id);
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = form.replace('</form>', '<button name="logout" value="yes">End the session</button></form>');
        },
      },
      resourceIndicators: {
        enabled: true,
        // A browser's login is about the person alone; it asks for no token that opens the gateway.
        defaultResource: (_context, { clientId }) => (clientId === 'gateway' ? undefined : options.resource),
        getResourceServerInfo: resource,
        useGrantedResource: () => true,
      },
    },
  });
  // A client asks every 5 s for the outcome of a device's login where it is given no interval.
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route === 'device_authorization') context.body.interval = 0.05;
  });
  provider.on('server_error', (_context, error) => {
    console.error(error);
  });
  return provider;
};

/** What a person does on the pages of a provider that shows them: they say who they are, and that they agree, or not. */
const decide = async (provider, { userCode, approve }) => {
  const code = await provider.DeviceCode.findByUserCode(userCode.replaceAll('-', ''));
  if (approve) {
    const grantId = await grantOf(provider, code.clientId, state.person);
    const scope = scopes;
    Object.assign(code, { accountId: state.person, grantId, scope, claims: {}, resource: options.resource });
    Object.assign(code, { authTime: Math.floor(Date.now() / 1000), gty: undefined, expiresWithSession: false });
  } else Object.assign(code, { error: 'access_denied', errorDescription: 'the person said no' });
  await code.save();
};

const handlers = {
  '/test/state': async (provider, change) => {
    const keys = state.keys;
    Object.assign(state, change);
    return state.keys === keys ? provider : providerWith(provider.issuer);
  },
  '/test/device': async (provider, decision) => {
    await decide(provider, decision);
    return provider;
  },
};

const interact = async (provider, request, response) => {
  const result = { login: { accountId: state.person } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
};

let provider;
const server = createServer((request, response) => {
  const act = async () => {
    const handle = handlers[request.url];
    if (handle !== undefined) {
      provider = await handle(provider, await json(request));
      response.writeHead(204).end();
    } else if (request.url.startsWith('/interaction/')) await interact(provider, request, response);
    else provider.callback()(request, response);
  };
  act().catch((error) => {
    console.error(error);
    response.writeHead(500).end(String(error));
  });
});
server.listen(options.port, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${String(server.address().port)}`;
  provider = providerWith(issuer);
  console.log(issuer);
});

import { apiKeyViewSchema, apiKeyRequestSchema, apiKeysViewSchema, meViewSchema, newApiKeySchema } from './access';
import { identityViewSchema, logoutViewSchema } from './identity';
import { declareRoutes } from '../route/route';
import { text } from '../schema/schema';

const cookie = { 'set-cookie': 'login cookie: an opaque secret, HttpOnly, SameSite=Lax' } as const;

export const accessRoutes = declareRoutes({
  me: {
    me: {
      method: 'GET',
      path: '/v1/me',
      permission: 'service.about',
      summary: "The caller's identity",
      answer: meViewSchema,
    },
  },
  identity: {
    identity: {
      method: 'GET',
      path: '/v1/identity',
      permission: 'open',
      summary: 'Login methods and the identity provider, if there is one',
      description: 'Requires no key. `phx login` and the dashboard use it.',
      answer: identityViewSchema,
    },
  },
  keys: {
    list: {
      method: 'GET',
      path: '/v1/admin/keys',
      permission: 'keys.read',
      summary: 'Lists API keys, including revoked and expired ones',
      description: 'For administrators.',
      answer: apiKeysViewSchema,
      errors: [404],
    },
    create: {
      method: 'POST',
      path: '/v1/admin/keys',
      permission: 'keys.change',
      summary: 'Creates an API key; only this response contains its text',
      description:
        "For administrators. The first key must be an administrator's. From then on every request needs a key.",
      body: apiKeyRequestSchema,
      examples: [{ owner: 'ada', role: 'user', proposals: ['mx1234'], label: 'notebook', expires_in_days: 90 }],
      status: 201,
      answer: newApiKeySchema,
      errors: [404, 409],
    },
    revoke: {
      method: 'POST',
      path: '/v1/admin/keys/{id}/revocation',
      permission: 'keys.change',
      summary: 'Revokes an API key permanently',
      description: 'For administrators. Safe to repeat: the time of the first revocation is kept.',
      answer: apiKeyViewSchema,
      errors: [404],
    },
  },
  login: {
    login: {
      method: 'GET',
      path: '/v1/login',
      permission: 'open',
      summary: 'Redirects a browser to the identity provider',
      description:
        'Requires no key; for browsers only. The identity provider redirects the browser to /v1/login/callback.',
      query: {
        return_to: text('path on this gateway to open after the login; default: the dashboard', {
          'x-allowed': 'a path of this gateway',
        }),
      },
      status: 302,
      answerHeaders: { location: 'login page of the identity provider', ...cookie },
      errors: [404],
    },
    callback: {
      method: 'GET',
      path: '/v1/login/callback',
      permission: 'open',
      summary: 'Completes a login after the redirect from the identity provider',
      description:
        'Requires no key. Each response of the provider is valid once, for the browser that started the login.',
      status: 302,
      answerHeaders: { location: 'the path from `return_to`', ...cookie },
      errors: [404],
    },
    logout: {
      method: 'POST',
      path: '/v1/logout',
      permission: 'open',
      summary: 'Logs a browser out, here and at the identity provider',
      description:
        'Requires no key. Safe to repeat. With a cookie it requires the header X-Fleet-Request and an Origin of this gateway, like every change.',
      answer: logoutViewSchema,
    },
  },
});

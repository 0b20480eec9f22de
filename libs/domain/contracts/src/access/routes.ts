import { apiKeyViewSchema, apiKeyRequestSchema, apiKeysViewSchema, meViewSchema, newApiKeySchema } from './access';
import { identityViewSchema, logoutViewSchema } from './identity';
import { declareRoutes } from '../route/route';
import { text } from '../schema/schema';

const cookie = { 'set-cookie': 'what the browser holds of it: an opaque secret, HttpOnly, SameSite=Lax' } as const;

export const accessRoutes = declareRoutes({
  me: {
    me: {
      method: 'GET',
      path: '/v1/me',
      permission: 'service.about',
      summary: 'Who you are to the gateway',
      answer: meViewSchema,
    },
  },
  identity: {
    identity: {
      method: 'GET',
      path: '/v1/identity',
      permission: 'open',
      summary: 'How people log in: the identity provider, where there is one',
      description: 'Open to everybody. `phx login` and the dashboard use it.',
      answer: identityViewSchema,
    },
  },
  keys: {
    list: {
      method: 'GET',
      path: '/v1/admin/keys',
      permission: 'keys.read',
      summary: 'The keys of the API, with those that are revoked or have expired',
      description: 'For administrators.',
      answer: apiKeysViewSchema,
      errors: [404],
    },
    create: {
      method: 'POST',
      path: '/v1/admin/keys',
      permission: 'keys.change',
      summary: 'Makes a key; its text is in this answer and nowhere else',
      description:
        "For administrators. The first key has to be an administrator's: from then on nobody gets in without one.",
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
      summary: 'Revokes a key for good',
      description: 'For administrators. Safe to repeat: the first revocation counts.',
      answer: apiKeyViewSchema,
      errors: [404],
    },
  },
  login: {
    login: {
      method: 'GET',
      path: '/v1/login',
      permission: 'open',
      summary: 'Sends a browser to the identity provider to log in',
      description: 'Open to everybody; for pages, not for programs. The browser comes back to /v1/login/callback.',
      query: {
        return_to: text('a path of this gateway where the browser goes afterwards; absent: the dashboard', {
          'x-allowed': 'a path of this gateway',
        }),
      },
      status: 302,
      answerHeaders: { location: "the provider's page", ...cookie },
      errors: [404],
    },
    callback: {
      method: 'GET',
      path: '/v1/login/callback',
      permission: 'open',
      summary: 'Logs a browser in that comes back from the provider',
      description: 'Open to everybody. Each answer of the provider is good once, for the browser that asked.',
      status: 302,
      answerHeaders: { location: 'where the browser wanted to go', ...cookie },
      errors: [404],
    },
    logout: {
      method: 'POST',
      path: '/v1/logout',
      permission: 'open',
      summary: 'Ends the login of a browser, here and at the provider',
      description:
        'Open to everybody; safe to repeat. By a cookie it needs the header X-Fleet-Request and an Origin of this gateway, as every change does.',
      answer: logoutViewSchema,
    },
  },
});

import { ApiQuery } from '@nestjs/swagger';
import { answers } from './answers';

const cookie = { 'set-cookie': 'what the browser holds of it: an opaque secret, HttpOnly, SameSite=Lax' };

export const BrowserLoginDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Sends a browser to the identity provider to log in',
      description: 'Open to everybody; for pages, not for programs. The browser comes back to /v1/login/callback.',
      status: 302,
      headers: { location: "the provider's page", ...cookie },
      errors: [404],
    },
    ApiQuery({
      name: 'return_to',
      required: false,
      description: 'a path of this gateway where the browser goes afterwards; absent: the dashboard',
      schema: { type: 'string' },
    }),
  );

export const BrowserCallbackDocs = (): MethodDecorator =>
  answers({
    summary: 'Logs a browser in that comes back from the provider',
    description: 'Open to everybody. Each answer of the provider is good once, for the browser that asked.',
    status: 302,
    headers: { location: 'where the browser wanted to go', ...cookie },
    errors: [404],
  });

export const LogoutDocs = (): MethodDecorator =>
  answers({
    summary: 'Ends the login of a browser, here and at the provider',
    description:
      'Open to everybody; safe to repeat. By a cookie it needs the header X-Fleet-Request and an Origin of this gateway, as every change does.',
    changes: true,
    status: 200,
    schema: 'Logout',
  });

import type { WebhookFiles } from '@fleet/ports';

/** Secrets of an installation that has a key. */
export const plainWebhookFiles: WebhookFiles = {
  create: () => Promise.resolve(),
  all: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
  secretKey: () => '00c0ffee',
  secretOf: ({ id }) => Buffer.from(id.repeat(2)),
};

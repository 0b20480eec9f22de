import type { Deliveries, WebhookFiles } from '@fleet/ports';

/** Nothing waits for anybody. */
export const noDeliveries: Deliveries = {
  claim: () => Promise.resolve(undefined),
  delivered: () => Promise.resolve(false),
  failed: () => Promise.resolve(false),
  release: () => Promise.resolve(),
  state: () => Promise.resolve({ waiting: 0, delivered: 0, dead: 0, lost: 0, failing: 0 }),
  dead: () => Promise.resolve([]),
  replay: () => Promise.resolve(0),
  noticeBatches: () => Promise.resolve(),
};

/** Secrets of an installation that has a key. */
export const plainWebhookFiles: WebhookFiles = {
  create: () => Promise.resolve(),
  all: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
  secretKey: () => '00c0ffee',
  secretOf: ({ id }) => Buffer.from(id.repeat(2)),
};

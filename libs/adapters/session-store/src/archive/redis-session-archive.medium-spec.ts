import {
  archivingAtOnce,
  MemoryArchiveFolder,
  sessionStoreContract,
  startRedis,
  type RedisServer,
} from '@fleet/testing';
import { RedisStore } from '../redis-store';
import { connectStore } from '../store-connection';
import { ArchivedSessionEvents } from './archived-session-events';
import { ArchivedSessionRecords } from './archived-session-records';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  await server.stop();
});

let prefix = 0;

sessionStoreContract('an archived RedisStore', (clock) => {
  prefix += 1;
  const redis = connectStore({ url: server.url });
  const store = new RedisStore(redis, `a${String(prefix)}`, clock);
  const { archive, schedule, feed, index, catalogues, batches } = store;
  const folder = new MemoryArchiveFolder();
  const records = new ArchivedSessionRecords(store.records, archive, folder);
  const events = new ArchivedSessionEvents(store.events, archive, folder);
  return Promise.resolve({
    store: {
      records: archivingAtOnce({ records, events, archive, folder }),
      events,
      schedule,
      feed,
      index,
      catalogues,
      batches,
    },
    close: () => {
      store.close();
      redis.disconnect();
      return Promise.resolve();
    },
  });
});

export { assertDurableRedis } from './durable-redis';
export { MemorySessionStore } from './memory-session-store';
export { RedisProbe } from './redis.probe';
export { RedisSessionStore } from './redis-session-store';
export { SessionStoreModule } from './session-store.module';
export { connectStore } from './store-connection';

import { loginStoreContract, useRedis } from '@fleet/testing';
import { RedisLoginStore } from './redis-login-store';

const redis = useRedis();

loginStoreContract('RedisLoginStore', () => new RedisLoginStore(redis(), 'fleet'));

import { isDescribed, isUploadName, uploadSchema, type Upload } from '@fleet/contracts';
import type { UploadChange, UploadStore } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { awaitedBytes, dayMs } from './day';

/** -1: added. The day of a proposal begins with its first upload and lasts as long as its key. */
const add = new LuaScript(`
local size, most = tonumber(ARGV[2]), tonumber(ARGV[3])
local used = tonumber(redis.call('GET', KEYS[2]) or '0')
if used + size > most then return math.max(0, most - used) end
redis.call('INCRBY', KEYS[2], ARGV[2])
if redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIRE', KEYS[2], ARGV[5]) end
redis.call('HSET', KEYS[1], 'version', '0', 'upload', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return -1
`);
const change = new LuaScript(`
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'upload', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`);
const remove = new LuaScript(`
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
local used = tonumber(redis.call('GET', KEYS[2]) or '0')
if used > 0 then redis.call('DECRBY', KEYS[2], math.min(used, tonumber(ARGV[2]))) end
return 1
`);
const hold = new LuaScript(`
local writer = redis.call('GET', KEYS[1])
if writer and writer ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`);
const release = new LuaScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** What is in Redis becomes paths: what no gateway can have written is no upload. */
const readUpload = (id: string, text: string): Upload | undefined => {
  const upload = parsed(text);
  const isOne = isDescribed(uploadSchema, upload) && upload.id === id && isUploadName(upload.name) && isOwnFile(upload);
  return isOne ? upload : undefined;
};

const isOwnFile = ({ id, name, file }: Upload): boolean =>
  file === '' || (file.startsWith(`${id}.`) && file.endsWith(`.${name}`));

/** Uploads in Redis, each a key of its own that ends by itself. */
export class RedisUploadStore implements UploadStore {
  private readonly keys: Keys['uploads'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.keys = keysOf(prefix).uploads;
  }

  async add(upload: Upload, forMs: number, mostOfDay: number): Promise<number | undefined> {
    const keys = [this.keys.upload(upload.id), this.keys.day(upload.proposal)];
    const left = await this.run(add, keys, [JSON.stringify(upload), upload.size, mostOfDay, forMs, dayMs]);
    return left === -1 ? undefined : Number(left);
  }

  async find(id: string): Promise<Upload | undefined> {
    const text = await reachingRedis(this.redis, () => this.redis.hget(this.keys.upload(id), 'upload'));
    return readUpload(id, text ?? '');
  }

  async change(upload: Upload, changed: UploadChange, forMs: number): Promise<Upload | undefined> {
    const now = { ...upload, ...changed, version: upload.version + 1 };
    const args = [upload.version, now.version, JSON.stringify(now), forMs];
    return (await this.run(change, [this.keys.upload(upload.id)], args)) === 1 ? now : undefined;
  }

  async remove(upload: Upload): Promise<boolean> {
    const keys = [this.keys.upload(upload.id), this.keys.day(upload.proposal)];
    return (await this.run(remove, keys, [upload.version, awaitedBytes(upload)])) === 1;
  }

  async hold(id: string, writer: string, forMs: number): Promise<boolean> {
    return (await this.run(hold, [this.keys.writer(id)], [writer, forMs])) === 1;
  }

  async release(id: string, writer: string): Promise<void> {
    await this.run(release, [this.keys.writer(id)], [writer]);
  }

  private run(script: LuaScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return reachingRedis(this.redis, () => script.run(this.redis, keys, args));
  }
}

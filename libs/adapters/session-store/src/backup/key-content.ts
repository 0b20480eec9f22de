import { Fault } from '@fleet/contracts';
import type { ChainableCommander, Redis } from 'ioredis';

/** What a key holds, the same text for the same content: members of hashes and sets in order. Bytes are base64. */
export interface KeyContent {
  readonly type: 'string' | 'hash' | 'set' | 'zset' | 'list' | 'stream';
  /** One entry a value, field and value, member and score; of a stream its last id, then id, field and value of each entry. */
  readonly value: readonly (readonly string[])[];
}

/** Elements of one command: arguments of a script or a command are not without limit. */
const atOnce = 500;

const text = (bytes: Buffer): string => bytes.toString('base64');
const bytesOf = (coded = ''): Buffer => Buffer.from(coded, 'base64');

const pairs = (flat: readonly Buffer[]): readonly (readonly string[])[] =>
  Array.from({ length: flat.length / 2 }, (_, index) => flat.slice(2 * index, 2 * index + 2).map(text));

const inOrder = (value: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  [...value].sort(([a = ''], [b = '']) => (a < b ? -1 : Number(a > b)));

const streamValue = async (redis: Redis, key: string): Promise<KeyContent['value']> => {
  const info = (await redis.xinfo('STREAM', key)) as readonly unknown[];
  const entries = await redis.xrangeBuffer(key, '-', '+');
  return [
    [String(info[info.indexOf('last-generated-id') + 1])],
    ...entries.map(([id, fields]) => [id.toString(), ...fields.map(text)]),
  ];
};

/**
 * What lies under a key; undefined where nothing does (any more).
 * @throws Fault `backup.unknown_type` (bug)
 */
export const readKey = async (redis: Redis, key: string): Promise<KeyContent | undefined> => {
  const type = await redis.type(key);
  switch (type) {
    case 'none':
      return undefined;
    case 'string':
      return { type, value: [[text((await redis.getBuffer(key)) ?? Buffer.alloc(0))]] };
    case 'hash':
      return { type, value: inOrder(pairs((await redis.callBuffer('HGETALL', key)) as Buffer[])) };
    case 'set':
      return { type, value: inOrder((await redis.smembersBuffer(key)).map((member) => [text(member)])) };
    case 'zset':
      return { type, value: pairs(await redis.zrangeBuffer(key, '0', '-1', 'WITHSCORES')) };
    case 'list':
      return { type, value: (await redis.lrangeBuffer(key, 0, -1)).map((element) => [text(element)]) };
    case 'stream':
      return { type, value: await streamValue(redis, key) };
    default:
      throw new Fault('backup.unknown_type', 'bug', `the key ${key} is a ${type}, which no backup knows`);
  }
};

const writeStream = (pipeline: ChainableCommander, key: string, value: KeyContent['value']): void => {
  const [[last = '0-0'] = [], ...entries] = value;
  for (const [id = '', ...fields] of entries) pipeline.xadd(key, id, ...fields.map(bytesOf));
  if (entries.length > 0) pipeline.call('XSETID', key, last);
  // A stream from which everything was trimmed still knows its last id.
  else if (last !== '0-0') pipeline.xadd(key, last, 'x', 'x').xdel(key, last);
};

const writeElements = (pipeline: ChainableCommander, key: string, { type, value }: KeyContent): void => {
  for (let from = 0; from < value.length; from += atOnce) {
    const some = value.slice(from, from + atOnce);
    const args = some.flat().map(bytesOf);
    if (type === 'hash') pipeline.call('HSET', key, ...args);
    else if (type === 'set') pipeline.call('SADD', key, ...args);
    else if (type === 'list') pipeline.call('RPUSH', key, ...args);
    else pipeline.call('ZADD', key, ...some.flatMap(([member, score]) => [bytesOf(score), bytesOf(member)]));
  }
};

/** Adds to a pipeline what makes the key anew; it must not be there. */
export const writeKey = (pipeline: ChainableCommander, key: string, content: KeyContent): void => {
  if (content.type === 'string') pipeline.set(key, bytesOf(content.value[0]?.[0]));
  else if (content.type === 'stream') writeStream(pipeline, key, content.value);
  else writeElements(pipeline, key, content);
};

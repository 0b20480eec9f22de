import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { problemsOf } from './fixtures/problems-of';
import { ConfigError, type ConfigProblem } from './config.error';
import { loadConfig, loadSections, type SectionClass } from './load-config';
import { LogConfig } from './process-sections';
import { ExecutorConfig } from './executor-section';
import {
  BackendConfig,
  GatewayConfig,
  KnowledgeConfig,
  KubernetesConfig,
  RedisConfig,
  StorageConfig,
} from './sections';

const variables = (problems: readonly ConfigProblem[]): readonly string[] => problems.map(({ variable }) => variable);

describe('loadConfig', () => {
  const folder = useFolder('file');

  it('uses the defaults for unset variables', () => {
    expect(loadConfig(RedisConfig, {})).toEqual({ url: 'redis://127.0.0.1:6379', keyPrefix: 'fleet' });
    expect(loadConfig(GatewayConfig, {})).toMatchObject({ host: '127.0.0.1', port: 8080 });
    expect(loadConfig(ExecutorConfig, {})).toMatchObject({
      maxAttempts: 3,
      maxDisruptions: 10,
      maxLogBytes: 1024 ** 3,
      memoryFraction: 0.8,
    });
  });

  it('finds the knowledge of the release', () => {
    expect(loadConfig(KnowledgeConfig, {}).folder).toMatch(/knowledge$/);
  });

  it('parses numbers, lists and folders', () => {
    const env = { FLEET_WORK_ROOT: folder, FLEET_DATA_ROOTS: `${folder}:/`, FLEET_GATEWAY_PORT: '9000' };
    expect(loadSections<[StorageConfig, GatewayConfig]>([StorageConfig, GatewayConfig], env)).toMatchObject([
      { workRoot: folder, dataRoots: [folder, '/'] },
      { port: 9000 },
    ]);
  });

  it('treats an empty value as unset', () => {
    expect(loadConfig(GatewayConfig, { FLEET_GATEWAY_PORT: ' ' }).port).toBe(8080);
    expect(loadConfig(ExecutorConfig, { PHENIX_DIR: '' }).phenixDir).toBeUndefined();
  });

  it('reports every invalid variable of all sections at once, with what is allowed', () => {
    const env = {
      FLEET_GATEWAY_PORT: '80 80',
      FLEET_LOG_LEVEL: 'loud',
      FLEET_MEMORY_FRACTION: '2',
      FLEET_WORK_ROOT: '/nope',
    };
    const sections: SectionClass[] = [GatewayConfig, LogConfig, ExecutorConfig, StorageConfig];
    const problems = problemsOf(() => loadSections(sections, env));
    expect(problems).toEqual([
      { variable: 'FLEET_GATEWAY_PORT', reason: '"80 80" is not an integer', allowed: 'an integer from 0 to 65535' },
      { variable: 'FLEET_LOG_LEVEL', reason: '"loud" is not one of the choices', allowed: 'debug, info, warn, error' },
      { variable: 'FLEET_MEMORY_FRACTION', reason: '"2" is larger than 1', allowed: 'a number from 0.05 to 1' },
      {
        variable: 'FLEET_WORK_ROOT',
        reason: '"/nope" does not exist',
        allowed: expect.stringContaining('folder') as string,
      },
    ]);
    expect(new ConfigError(problems).message.split('\n')).toHaveLength(problems.length + 1);
  });

  it.each([
    ['not absolute', 'data', '"data" is not an absolute path'],
    ['a file', '/etc/passwd', '"/etc/passwd" is not a folder'],
    ['one of several missing', '/:/nope', '"/nope" does not exist'],
    ['only colons', '::', 'names no folder'],
  ])('rejects data roots that are %s', (_what, value, reason) => {
    const problems = problemsOf(() => loadConfig(StorageConfig, { FLEET_WORK_ROOT: '/', FLEET_DATA_ROOTS: value }));
    expect(problems).toMatchObject([
      { variable: 'FLEET_DATA_ROOTS', reason: expect.stringContaining(reason) as string },
    ]);
  });

  it.each(['a=b', 'a;b', 'a\nb', 'a"b', "a'b", 'a#b', 'a{b', 'a$b', 'a\u202eb'])(
    'rejects a work root that programs would misread: %j',
    (name) => {
      const odd = join(folder, name);
      mkdirSync(odd);
      const problems = problemsOf(() => loadConfig(StorageConfig, { FLEET_WORK_ROOT: odd, FLEET_DATA_ROOTS: folder }));
      const reason = expect.stringContaining('could read as the end of a path') as string;
      expect(problems).toMatchObject([{ variable: 'FLEET_WORK_ROOT', reason }]);
    },
  );

  it('accepts a work root with other letters and blanks', () => {
    const odd = join(folder, 'Jörg Müller, 日本');
    mkdirSync(odd);
    expect(loadConfig(StorageConfig, { FLEET_WORK_ROOT: odd, FLEET_DATA_ROOTS: odd }).workRoot).toBe(odd);
  });

  it('accepts a cluster as the backend, with its settings file', () => {
    const file = join(folder, 'kubernetes.yaml');
    writeFileSync(file, '');
    const env = { FLEET_BACKEND: 'kubernetes', FLEET_KUBERNETES_FILE: file };
    expect(loadSections([BackendConfig, KubernetesConfig], env)).toEqual([{ backend: 'kubernetes' }, { file }]);
    expect(loadConfig(KubernetesConfig, {}).file).toBeUndefined();
    const problems = problemsOf(() => loadConfig(KubernetesConfig, { FLEET_KUBERNETES_FILE: folder }));
    expect(problems).toMatchObject([{ variable: 'FLEET_KUBERNETES_FILE', reason: `"${folder}" is not a file` }]);
  });

  it('never shows the value of a secret', () => {
    const [problem] = problemsOf(() => loadConfig(RedisConfig, { REDIS_URL: 'http://user:hunter2@host' }));
    expect(problem?.variable).toBe('REDIS_URL');
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it('accepts only time zones known to this machine', () => {
    const of = (zone: string) => loadConfig(GatewayConfig, { FLEET_TIME_ZONE: zone }).timeZone;
    expect([of('Europe/Paris'), of('UTC'), loadConfig(GatewayConfig, {}).timeZone]).toEqual([
      'Europe/Paris',
      'UTC',
      'UTC',
    ]);
    for (const zone of ['Europe/Atlantis', 'CET; rm'])
      expect(problemsOf(() => of(zone))).toMatchObject([{ variable: 'FLEET_TIME_ZONE' }]);
  });

  it.each(['redis://user:%FF@host', 'redis://user:%C3%28@host', 'redis+sentinel://s/main?sentinel_password=%80'])(
    'rejects %s by name, because its percent-encoded bytes are not UTF-8',
    (url) => {
      expect(problemsOf(() => loadConfig(RedisConfig, { REDIS_URL: url }))).toMatchObject([{ variable: 'REDIS_URL' }]);
    },
  );

  it('reads a secret from a mounted file', () => {
    const file = join(folder, 'redis-url');
    writeFileSync(file, 'redis://:pass@host:6379\n');
    expect(loadConfig(RedisConfig, { REDIS_URL_FILE: file }).url).toBe('redis://:pass@host:6379');
    const both = problemsOf(() => loadConfig(RedisConfig, { REDIS_URL_FILE: file, REDIS_URL: 'redis://host' }));
    expect(variables(both)).toEqual(['REDIS_URL_FILE']);
    const missing = problemsOf(() => loadConfig(RedisConfig, { REDIS_URL_FILE: join(folder, 'none') }));
    expect(missing).toMatchObject([{ variable: 'REDIS_URL_FILE', reason: expect.stringContaining('none') as string }]);
  });

  it('reports an unknown FLEET_ variable, with the nearest known one', () => {
    const problems = problemsOf(() => loadConfig(LogConfig, { FLEET_GATEWY_PORT: '1' }));
    expect(problems).toEqual([
      { variable: 'FLEET_GATEWY_PORT', reason: 'is not known; the nearest is FLEET_GATEWAY_PORT' },
    ]);
  });

  it('ignores variables set by Kubernetes and the tests', () => {
    const env = {
      FLEET_REDIS_SERVICE_HOST: '10.0.0.1',
      FLEET_REDIS_SERVICE_PORT_CLIENT: '6379',
      FLEET_REDIS_PORT: 'tcp://10.0.0.1:6379',
      FLEET_REDIS_PORT_6379_TCP_ADDR: '10.0.0.1',
      FLEET_TEST_REDIS_SERVER: '/usr/bin/redis-server',
    };
    expect(problemsOf(() => loadConfig(LogConfig, env))).toEqual([]);
  });
});

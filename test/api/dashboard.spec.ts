import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AUDIT_LOG, CLOCK, systemClock } from '@fleet/ports';
import { useFolder } from '@fleet/testing';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AuditTrail } from '../../apps/gateway/src/auth/audit/audit-trail';
import { createGateway } from '../../apps/gateway/src/create-gateway';
import { PlainAuditLog } from './audit-log.fake';

/** What every gateway has, and no address of the API. */
@Module({
  providers: [
    AuditTrail,
    { provide: AUDIT_LOG, useValue: new PlainAuditLog() },
    { provide: CLOCK, useValue: systemClock },
  ],
})
class NothingModule {}

describe('the dashboard of a gateway', () => {
  const root = useFolder();
  let folder: string;
  const started: NestFastifyApplication[] = [];
  beforeEach(() => {
    folder = join(root, 'dashboard');
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((app) => app.close()));
  });

  const build = (): void => {
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), '<head><base href="/" /></head>');
    writeFileSync(join(folder, 'assets/index-a1b2.js'), 'const one = 1;'.repeat(100));
    writeFileSync(join(root, 'secret.txt'), 'a secret');
    symlinkSync(join(root, 'secret.txt'), join(folder, 'assets/secret.txt'));
    symlinkSync(root, join(folder, 'assets/above'));
  };
  const start = async (publicPath = '/'): Promise<NestFastifyApplication> => {
    const app = await createGateway(NothingModule, {
      maxBodyBytes: 1024,
      logger: false,
      drainMs: 100,
      dashboard: { folder, publicPath },
    });
    started.push(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return app;
  };
  const get = (app: NestFastifyApplication, url: string, headers: Record<string, string> = {}) =>
    app.inject({ method: 'GET', url, headers });

  it('is served at every page URL without caching, and contains nothing inline', async () => {
    build();
    const app = await start();
    for (const url of [
      '/ui/',
      '/ui/sessions',
      '/ui/sessions?status=running',
      '/ui/sessions/01m8307cavrradcm4d0epmpk0j',
      '/ui/batches?proposal=mx1234',
      '/ui/statistics?by=beamline',
      '/ui/batches/01m8307cavrradcm4d0epmpk0j?view=failures',
      '/ui/submit?folder=/data',
      '/ui/submit/manifest',
      '/ui/fork?from=01m8307cavrradcm4d0epmpk0j&cycle=3',
      '/ui/compare?left=01m8307cavrradcm4d0epmpk0j',
      '/ui/operations?who=ada',
      '/ui/wall?beamline=i04',
    ]) {
      const { statusCode, headers, payload } = await get(app, url);
      expect([statusCode, payload, headers['cache-control']]).toEqual([
        200,
        '<head><base href="/ui/" /></head>',
        'no-cache',
      ]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self';");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect((await get(app, url, { 'if-none-match': String(headers.etag) })).statusCode).toBe(304);
    }
    expect((await get(app, '/ui')).headers.location).toBe('ui/');
  });

  it('serves immutable files, because their names change with their content', async () => {
    build();
    const app = await start();
    const { headers, rawPayload } = await get(app, '/ui/assets/index-a1b2.js', { 'accept-encoding': 'gzip, br' });
    expect([headers['cache-control'], headers['content-type'], headers['content-encoding']]).toEqual([
      'public, max-age=31536000, immutable',
      'text/javascript; charset=utf-8',
      'gzip',
    ]);
    expect(gunzipSync(rawPayload).toString()).toBe('const one = 1;'.repeat(100));
    expect((await get(app, '/ui/assets/index-a1b2.js')).payload).toBe('const one = 1;'.repeat(100));
  });

  it('serves no links, no parent folders and no files created after its start', async () => {
    build();
    const app = await start();
    writeFileSync(join(folder, 'assets/later.js'), 'later');
    for (const url of [
      '/ui/assets/secret.txt',
      '/ui/assets/above/secret.txt',
      '/ui/../secret.txt',
      '/ui/%2e%2e/secret.txt',
      '/ui/..%2fsecret.txt',
      '/ui/assets/later.js',
      '/ui/assets/',
      '/ui/sessions/a/b',
      '/ui/batches/a/b',
      '/ui/submit/other',
      '/ui/__proto__',
      '/ui/constructor',
    ]) {
      const { statusCode, headers, payload } = await get(app, url);
      expect([url, statusCode]).toEqual([url, 404]);
      expect(headers['content-type']).toContain('application/problem+json');
      expect(payload).not.toContain('a secret');
    }
  });

  it('answers a person who opens an unknown URL with the page, which says so', async () => {
    build();
    const { statusCode, payload } = await get(await start(), '/ui/sesions', { accept: 'text/html,*/*;q=0.8' });
    expect([statusCode, payload]).toEqual([404, '<head><base href="/ui/" /></head>']);
  });

  it('uses the path prefix of a proxy', async () => {
    build();
    expect((await get(await start('/fleet/'), '/ui/')).payload).toBe('<head><base href="/fleet/ui/" /></head>');
  });

  it('reports that it was not built, and is not served when its folder is a link', async () => {
    const absent = await get(await start(), '/ui/sessions');
    expect([absent.statusCode, absent.json<{ code: string }>().code]).toEqual([404, 'dashboard.absent']);
    build();
    symlinkSync(folder, join(root, 'linked'));
    folder = join(root, 'linked');
    expect((await get(await start(), '/ui/')).statusCode).toBe(404);
  });
});

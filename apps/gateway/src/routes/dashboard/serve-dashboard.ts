import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ProblemFilter } from '../../http/problem.filter';
import { ApiError, problemMediaType } from '../../http/errors/problem-details';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { dashboardPolicy } from '../../http/security-headers';
import { isKnown } from '../../http/entity-tag';
import { readDashboard, type DashboardFile } from './dashboard-files';

/**
 * Folder of the dashboard's build, and the URL path of the gateway for browsers (`/`, or the prefix that a proxy
 * removes).
 */
export interface DashboardBuild {
  readonly folder: string;
  readonly publicPath: string;
}

type Files = ReadonlyMap<string, DashboardFile>;
type Request = HttpRequest & { readonly params: unknown };

/** URL path of the dashboard below the gateway's. */
const root = 'ui';
/** URLs of pages, which index.html draws; every other name must be a file of the build. */
const pages =
  /^(?:|(?:sessions|batches)(?:\/[^/]+)?|submit(?:\/manifest)?|fork|compare|statistics|operations(?:\/(?:queues|keys))?|wall)$/;
/** File names in this folder contain a digest of their content, so that they never change. */
const hashed = 'assets/';
const forEver = 'public, max-age=31536000, immutable';

const nameIn = ({ params }: Request): string => {
  const name: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, '*') : '';
  return typeof name === 'string' ? name : '';
};

const takesGzip = ({ headers }: Request): boolean =>
  [headers['accept-encoding']].flat().some((accepted) => accepted?.includes('gzip') === true);

/** Whether a person opened it: index.html then shows that there is no such page. */
const isOpened = ({ headers }: Request): boolean => headers.accept?.includes('text/html') === true;

const send = (request: Request, reply: HttpReply, name: string, file: DashboardFile): void => {
  const gzipped = takesGzip(request) ? file.gzipped : undefined;
  reply
    .header('content-security-policy', dashboardPolicy)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cache-control', name.startsWith(hashed) ? forEver : 'no-cache')
    .header('vary', 'accept-encoding')
    .header('etag', file.tag);
  if (isKnown(request.headers['if-none-match'], file.tag)) {
    reply.code(304).send();
    return;
  }
  if (gzipped !== undefined) reply.header('content-encoding', 'gzip');
  reply.header('content-type', file.type).send(gzipped ?? file.bytes);
};

/** The file for a request. */
const findFile = (files: Files | undefined, name: string): readonly [string, DashboardFile] => {
  if (files === undefined)
    throw new ApiError(
      'dashboard.absent',
      'This gateway was built without the dashboard. The API is not affected; its operator can run npm run build, and restart the gateway.',
    );
  const found = pages.test(name) ? 'index.html' : name;
  const file = files.get(found);
  if (file === undefined) throw new ApiError('route.not_found', `The dashboard has no file ${name.slice(0, 200)}.`);
  return [found, file];
};

/**
 * Serves the dashboard at /ui/. Its files need no key: they contain only the program, which gets its data from the API.
 */
export const serveDashboard = async (
  app: NestFastifyApplication,
  { folder, publicPath }: DashboardBuild,
  filter: ProblemFilter,
): Promise<void> => {
  const files = await readDashboard(folder, `${publicPath}${root}/`);
  if (files === undefined)
    new Logger('Gateway').warn({
      message: 'the dashboard is not built: /ui/ reports it, and everything else works',
      folder,
    });
  const answer = (request: Request, reply: HttpReply): void => {
    try {
      const [name, file] = findFile(files, nameIn(request));
      send(request, reply, name, file);
    } catch (error) {
      const index = files?.get('index.html');
      if (index !== undefined && isOpened(request)) {
        send(request, reply.code(404), 'index.html', index);
        return;
      }
      const problem = filter.problemOf(error, request);
      reply.code(problem.status).header('content-type', problemMediaType).send(JSON.stringify(problem));
    }
  };
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get(`/${root}/*`, (request, reply) => answer(request as unknown as Request, reply));
  // Relative to the requested URL, so that it works below a path that a proxy removes.
  fastify.get(`/${root}`, (_request, reply) => {
    void reply.code(308).header('location', `${root}/`).send();
  });
};

import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { outputFiles } from '@fleet/api-views';
import { routes } from '@fleet/contracts/routes';
import type { CycleRecord, OutputFile, Session } from '@fleet/contracts/sessions';
import {
  READABLE_BY,
  type ReadableBy,
  SESSION_FOLDER,
  SESSION_RECORDS,
  type SessionFolderPort,
  type SessionRecords,
} from '@fleet/ports';
import { findCycle, findSession, readableFor } from '@fleet/sessions';
import { Retention } from '@fleet/retention';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { SessionIdPipe } from '../../http/session-id.pipe';
import { ApiError } from '../../http/errors/problem-details';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { type Query as QueryValues, readQuery } from '../../http/read-query';
import { readRange } from '../../http/byte-range';
import { openInside } from './open-file';
import { openInput } from './open-input';
import { emptyRange, readLogRange } from './read-log-range';

/** The default attempt: the last one that was started. */
const lastAttempt = (session: Session, record: CycleRecord): number =>
  Math.max(record.attempts.at(-1)?.attempt ?? 1, record.cycle === session.cycle ? session.attempt : 1);

const hasEnded = (record: CycleRecord, attempt: number): boolean =>
  record.attempts.find((candidate) => candidate.attempt === attempt)?.ending !== undefined;

/** RFC 6266: a plain name for old clients, the exact one for the others. */
const attachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^A-Za-z0-9._-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escapeOne)}`;
const escapeOne = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Sends a file, or the part that a Range header requests. It is published or pinned, so it does not change: size and
 * time identify it.
 */
const sendPart = async (
  file: FileHandle,
  disposition: string,
  { range: asked, 'if-range': known }: HttpRequest['headers'],
  reply: HttpReply,
): Promise<void> => {
  const { size, mtimeMs } = await file.stat();
  const tag = `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`;
  reply.header('accept-ranges', 'bytes').header('etag', tag);
  const range = known === undefined || known === tag ? readRange(asked, size) : undefined;
  if (range === 'outside') {
    await file.close();
    reply.header('content-range', `bytes */${String(size)}`);
    throw new ApiError('file.no_such_range', `The file has ${String(size)} bytes.`);
  }
  reply.header('content-type', 'application/octet-stream').header('content-disposition', disposition);
  if (range === undefined) {
    reply.header('content-length', size).send(file.createReadStream());
    return;
  }
  const { start, end } = range;
  reply
    .code(206)
    .header('content-range', `bytes ${String(start)}-${String(end)}/${String(size)}`)
    .header('content-length', end - start + 1)
    .send(file.createReadStream({ start, end }));
};

const openOutput = async (
  session: Session,
  cycle: string,
  name: string,
): Promise<{ readonly file: OutputFile; readonly opened: FileHandle } | undefined> => {
  const file = outputFiles(session).find((output) => String(output.cycle) === cycle && output.name === name);
  const opened = file === undefined ? undefined : await openInside(session.folder, file.path);
  return file === undefined || opened === undefined ? undefined : { file, opened };
};

@Controller()
export class SessionFilesController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(SESSION_FOLDER) private readonly folder: SessionFolderPort,
    @Inject(READABLE_BY) private readonly readableBy: ReadableBy,
    private readonly retention: Retention,
  ) {}

  /** The program's output as bytes by offset, also while it grows. */
  @Handles(routes.sessionFiles.log)
  async log(
    @Param('id', SessionIdPipe) id: string,
    @Param('cycle') cycle: string,
    @Query() query: QueryValues,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const { offset, limit, attempt: asked } = readQuery(routes.sessionFiles.log, query);
    const session = await findSession(this.records, id);
    const record = findCycle(session, cycle);
    const attempt = asked ?? lastAttempt(session, record);
    const file = await this.openLog(session, record, attempt);
    if (file === undefined) await this.retention.checkFiles(id);
    const ended = hasEnded(record, attempt);
    if (file === undefined && (ended || attempt > lastAttempt(session, record))) {
      throw new ApiError('log.not_found', `Attempt ${String(attempt)} of cycle ${cycle} has no log.`);
    }
    const { bytes, ...place } = file === undefined ? emptyRange(offset) : await readLogRange(file, offset, limit);
    reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('x-log-attempt', attempt)
      .header('x-log-offset', place.offset)
      .header('x-log-next-offset', place.nextOffset)
      .header('x-log-size', place.size)
      .header('x-log-complete', String(ended && place.nextOffset >= place.size))
      .send(bytes);
  }

  /**
   * A file that a cycle created, or that was submitted. Only recorded files are served, never a path invented by the
   * client.
   */
  @Handles(routes.sessionFiles.file)
  async file(
    @Param('id', SessionIdPipe) id: string,
    @Param('cycle') cycle: string,
    @Param('*') name: string,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const session = await findSession(this.records, id);
    const readable = readableFor(session.request, principalOf(request), this.readableBy);
    const found = cycle === '0' ? await openInput(session, name, readable) : await openOutput(session, cycle, name);
    if (found === undefined) await this.retention.checkFiles(id);
    if (found === undefined)
      throw new ApiError('file.not_found', `Cycle ${cycle.slice(0, 20)} of session ${id} has no such file.`);
    await sendPart(found.opened, attachment(basename(found.file.path)), request.headers, reply);
  }

  /** The folder is renamed when an attempt is published, so both names are tried. */
  private async openLog(session: Session, record: CycleRecord, attempt: number): Promise<FileHandle | undefined> {
    const open = (): Promise<FileHandle | undefined> =>
      openInside(session.folder, this.folder.logPath(session, record, attempt));
    return (await open()) ?? open();
  }
}

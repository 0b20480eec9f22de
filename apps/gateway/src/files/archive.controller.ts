import { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { outputFiles } from '@fleet/api-views';
import type { OutputFile, Session } from '@fleet/contracts';
import { CLOCK, SESSION_RECORDS, type Clock, type SessionRecords } from '@fleet/ports';
import { Requires } from '../access/requires.decorator';
import { ApiError } from '../errors/problem-details';
import { noteForAudit } from '../audit/audit-note';
import type { HttpReply, HttpRequest } from '../http/http-types';
import { QueryReader, type Query as QueryValues } from '../http/read-query';
import { ArchiveDocs } from '../openapi/files-docs';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';
import { Retention } from '../retention/retention.service';
import { openInside } from '../sessions/open-file';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { findSession } from '../sessions/session-lookup';
import { packed } from './session-archive';
import { zipped } from './zip-stream';

/** Which files: the best ones, or every output of every cycle. */
const archiveKinds = ['results', 'all'] as const;
/** Archives that are written at once: each keeps a thread of four at work. */
const mostAtOnce = 8;

@Controller('v1/sessions/:id/files.zip')
export class ArchiveController {
  private writing = 0;

  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Retention) private readonly retention: Retention,
  ) {}

  /** Written while it is read: nothing lies on the disk or in memory, and a client that leaves ends it. */
  @Get()
  @Requires('session.download')
  @ArchiveDocs()
  async archive(
    @Param('id', SessionIdPipe) id: string,
    @Query() query: QueryValues,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const reader = new QueryReader(query, ['which']);
    const which = reader.choice('which', archiveKinds) ?? 'results';
    reader.done();
    const session = await findSession(this.records, id);
    await this.retention.checkFiles(id);
    if (this.writing >= mostAtOnce)
      throw new ApiError('files.busy', 'Too many archives are being written; ask again, or fetch single files.');
    const all = outputFiles(session);
    const files = which === 'all' ? all : this.bestOf(session, all);
    noteForAudit(request, { files: files.length });
    const bytes = zipped(
      packed({
        summary: this.knowledge.summary(session, this.clock.now()),
        files,
        now: new Date(this.clock.now()),
        open: (path) => openInside(session.folder, path),
      }),
    );
    // A client that has left already is closed no more.
    if (!reply.raw.destroyed) {
      this.writing += 1;
      reply.raw.once('close', () => {
        this.writing -= 1;
      });
    }
    reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="${id}.zip"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(bytes, { objectMode: false }));
  }

  /** Best files that were submitted are the submitter's already. */
  private bestOf(session: Session, files: readonly OutputFile[]): readonly OutputFile[] {
    const best = new Set(this.knowledge.bestFiles(session).map(({ file }) => file.path));
    return files.filter(({ path }) => best.has(path));
  }
}

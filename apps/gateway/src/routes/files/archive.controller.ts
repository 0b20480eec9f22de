import { Readable } from 'node:stream';
import { Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { outputFiles } from '@fleet/api-views';
import { routes } from '@fleet/contracts/routes';
import type { OutputFile, Session } from '@fleet/contracts/sessions';
import { CLOCK, type Clock, SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { findSession } from '@fleet/sessions';
import { Retention } from '@fleet/retention';
import { Handles } from '../../http/handles.decorator';
import { ApiError } from '../../http/errors/problem-details';
import { noteForAudit } from '../../http/audit-note';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { type Query as QueryValues, readQuery } from '../../http/read-query';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';
import { openInside } from '../sessions/open-file';
import { SessionIdPipe } from '../../http/session-id.pipe';
import { packed } from './session-archive';
import { zipped } from './zip-stream';

/** Maximum concurrent archives: each keeps one of four threads busy. */
const mostAtOnce = 8;

@Controller()
export class ArchiveController {
  private writing = 0;

  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly retention: Retention,
  ) {}

  /** Streamed: nothing is stored on disk or in memory, and a disconnect of the client ends it. */
  @Handles(routes.archive.archive)
  async archive(
    @Param('id', SessionIdPipe) id: string,
    @Query() query: QueryValues,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const { which } = readQuery(routes.archive.archive, query);
    const session = await findSession(this.records, id);
    await this.retention.checkFiles(id);
    if (this.writing >= mostAtOnce)
      throw new ApiError('files.busy', 'Too many archives are in progress; try again, or download single files.');
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
    // The client may have disconnected already.
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

  /** Best files that were submitted are left out: the submitter has them. */
  private bestOf(session: Session, files: readonly OutputFile[]): readonly OutputFile[] {
    const best = new Set(this.knowledge.bestFiles(session).map(({ file }) => file.path));
    return files.filter(({ path }) => best.has(path));
  }
}

import { Readable } from 'node:stream';
import { Controller, Inject, Query, Res, UseGuards } from '@nestjs/common';
import { auditCsvHeader, auditCsvLine } from '@fleet/api-views';
import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';
import { routes } from '@fleet/contracts/routes';
import { AUDIT_LOG, type AuditLog } from '@fleet/ports';
import { Handles } from '../../http/handles.decorator';
import { AdminSwitch } from '../../http/admin-switch.guard';
import type { HttpReply } from '../../http/http-types';
import type { Query as QueryValues } from '../../http/read-query';
import { readAuditQuery, readExportQuery } from './read-audit-query';

const jsonLine = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`;

/** The audit log. */
@Controller()
@UseGuards(AdminSwitch)
export class AuditController {
  constructor(@Inject(AUDIT_LOG) private readonly log: AuditLog) {}

  @Handles(routes.audit.list)
  list(@Query() query: QueryValues): Promise<AuditPage> {
    const { filter, limit, cursor } = readAuditQuery(query);
    return this.log.list(filter, limit, cursor);
  }

  @Handles(routes.audit.lines)
  lines(@Query() query: QueryValues, @Res({ passthrough: true }) reply: HttpReply): Readable {
    return this.file(query, reply, { type: 'application/x-ndjson', name: 'audit.jsonl', header: '', line: jsonLine });
  }

  @Handles(routes.audit.csv)
  csv(@Query() query: QueryValues, @Res({ passthrough: true }) reply: HttpReply): Readable {
    const type = 'text/csv; charset=utf-8; header=present';
    return this.file(query, reply, { type, name: 'audit.csv', header: auditCsvHeader(), line: auditCsvLine });
  }

  private file(query: QueryValues, reply: HttpReply, { type, name, header, line }: Exported): Readable {
    const filter = readExportQuery(query);
    reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}"`);
    return Readable.from(textOf(this.log.all(filter), header, line));
  }
}

interface Exported {
  readonly type: string;
  readonly name: string;
  readonly header: string;
  readonly line: (entry: AuditEntry) => string;
}

async function* textOf(
  parts: AsyncIterable<readonly AuditEntry[]>,
  header: string,
  line: Exported['line'],
): AsyncGenerator<string> {
  if (header !== '') yield header;
  for await (const part of parts) if (part.length > 0) yield part.map(line).join('');
}

import { Controller, Inject, Query, Req } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import type { FolderView } from '@fleet/contracts/submissions';
import { READABLE_BY, type ReadableBy } from '@fleet/ports';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import type { HttpRequest } from '../../http/http-types';
import { type Query as QueryValues, readQuery } from '../../http/read-query';
import { dataFolders, listFolder } from './list-folder';

/** Folders with files for submission. */
@Controller()
export class FoldersController {
  constructor(@Inject(READABLE_BY) private readonly readableBy: ReadableBy) {}

  @Handles(routes.folders.folder)
  folder(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<FolderView> {
    const { path, limit, cursor } = readQuery(routes.folders.folder, query);
    const readable = this.readableBy(principalOf(request));
    if (path === undefined) return dataFolders(readable);
    return listFolder(path, readable, { limit, ...(cursor !== undefined && { cursor }) });
  }
}

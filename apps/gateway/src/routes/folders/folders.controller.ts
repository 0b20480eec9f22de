import { Controller, Query, Req } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import type { FolderView } from '@fleet/contracts/submissions';
import { ListFolder } from '@fleet/sessions';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import type { HttpRequest } from '../../http/http-types';
import { type Query as QueryValues, readQuery } from '../../http/read-query';

/** Folders with files for submission. */
@Controller()
export class FoldersController {
  constructor(private readonly listing: ListFolder) {}

  @Handles(routes.folders.folder)
  folder(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<FolderView> {
    return this.listing.run(principalOf(request), readQuery(routes.folders.folder, query));
  }
}

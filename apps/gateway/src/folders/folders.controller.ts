import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import type { FolderView } from '@fleet/contracts';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import type { HttpRequest } from '../http/http-types';
import { QueryReader, type Query as QueryValues } from '../http/read-query';
import { FolderDocs } from '../openapi/folder-docs';
import { SUBMISSION_RULES, type SubmissionRules } from '../submission/submit-session';
import { dataFolders, listFolder } from './list-folder';

/** Any text: what is wrong with a path is said in the words of a submission. */
const anyText = /^[^]{1,8192}$/u;
const cursorForm = /^[df]:[^]{1,1024}$/u;

/** Where files lie that can be submitted. */
@Controller('v1/folders')
export class FoldersController {
  constructor(@Inject(SUBMISSION_RULES) private readonly rules: SubmissionRules) {}

  @Get()
  @Requires('folder.read')
  @FolderDocs()
  folder(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<FolderView> {
    const reader = new QueryReader(query, ['path', 'limit', 'cursor']);
    const path = reader.text('path', anyText, 'an absolute path');
    const cursor = reader.text('cursor', cursorForm, 'a nextCursor of an earlier answer');
    const limit = reader.integer('limit', { default: 200, min: 1, max: 1000 });
    reader.done();
    const readable = this.rules.readableBy(principalOf(request));
    if (path === undefined) return dataFolders(readable);
    return listFolder(path, readable, { limit, ...(cursor !== undefined && { cursor }) });
  }
}

import {
  Body,
  Controller,
  Delete,
  Get,
  Head,
  HttpCode,
  Inject,
  Options,
  Param,
  Patch,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import type { Upload, UploadView } from '@fleet/contracts';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { noteForAudit } from '../audit/audit-note';
import { AuditTrail } from '../audit/audit-trail';
import { ApiError } from '../errors/problem-details';
import { ReadsArriving } from '../http/arriving-body';
import type { HttpReply, HttpRequest } from '../http/http-types';
import {
  AppendDocs,
  BeginUploadDocs,
  RemoveUploadDocs,
  UploadDocs,
  UploadOffsetDocs,
  UploadOptionsDocs,
} from '../openapi/upload-docs';
import { appendPiece } from './append-piece';
import { beginUpload } from './begin-upload';
import { holdingUpload } from './hold-upload';
import { PieceBody, pieceType } from './piece-body';
import { checkVersion, lengthOf, readOffset, readUpload, tusVersion } from './read-upload';
import { findUpload } from './upload-lookup';
import { busy, UPLOAD_PARTS, viewOf, type UploadParts } from './upload-parts';

const inShort = ({ proposal, name, size }: Upload): Record<string, unknown> => ({ proposal, name, size });

/** Files that people upload, in pieces that can be continued: tus 1.0 with creation and termination. */
@Controller('v1/uploads')
export class UploadsController {
  constructor(
    @Inject(UPLOAD_PARTS) private readonly made: UploadParts | undefined,
    private readonly trail: AuditTrail,
  ) {}

  /** What the protocol calls discovery. */
  @Options()
  @HttpCode(204)
  @Requires('service.read')
  @UploadOptionsDocs()
  options(@Res({ passthrough: true }) reply: HttpReply): void {
    reply
      .header('tus-resumable', tusVersion)
      .header('tus-version', tusVersion)
      .header('tus-extension', 'creation,termination')
      .header('tus-max-size', this.parts.rules.maxFileBytes);
  }

  @Post()
  @Requires('upload.write')
  @BeginUploadDocs()
  async begin(@Req() request: HttpRequest, @Res({ passthrough: true }) reply: HttpReply): Promise<UploadView> {
    this.speak(request, reply);
    const upload = await beginUpload(this.parts, principalOf(request), readUpload(request.headers, this.parts.rules));
    noteForAudit(request, { object: `upload ${upload.id}`, after: inShort(upload) });
    reply.header('location', `/v1/uploads/${upload.id}`);
    return viewOf(upload);
  }

  @Head(':id')
  @HttpCode(200)
  @Requires('upload.append')
  @UploadOffsetDocs()
  async offset(
    @Param('id') id: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<void> {
    this.speak(request, reply);
    const { state, problem, offset, size } = await findUpload(this.parts.store, id);
    if (state === 'refused') throw new ApiError('upload.refused', problem ?? '');
    reply.header('cache-control', 'no-store').header('upload-offset', offset).header('upload-length', size);
  }

  @Get(':id')
  @Requires('upload.append')
  @UploadDocs()
  async view(@Param('id') id: string): Promise<UploadView> {
    return viewOf(await findUpload(this.parts.store, id));
  }

  @Patch(':id')
  @HttpCode(204)
  @ReadsArriving(PieceBody)
  @Requires('upload.append')
  @AppendDocs()
  async append(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<void> {
    if (!(body instanceof PieceBody))
      throw new ApiError('request.unsupported_media_type', `A piece of an upload has the type ${pieceType}.`);
    try {
      this.speak(request, reply);
      const upload = await appendPiece(this.parts, await findUpload(this.parts.store, id), {
        offset: readOffset(request.headers),
        length: lengthOf(request.headers),
        body,
        misfits: (offset) => {
          reply.header('upload-offset', offset);
        },
        completing: async (whole, sha256) => {
          noteForAudit(request, { object: `upload ${id}`, after: { ...inShort(whole), sha256 } });
          await this.trail.begin(request);
        },
      });
      reply.header('upload-offset', upload.offset);
    } finally {
      // Where it was refused before anybody read it the client has to hear why.
      body.passOver();
    }
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('upload.write')
  @RemoveUploadDocs()
  async remove(
    @Param('id') id: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<void> {
    this.speak(request, reply);
    const { store, files } = this.parts;
    await holdingUpload(this.parts, await findUpload(store, id), async (upload) => {
      if (upload.state === 'complete')
        throw new ApiError('upload.complete', `The upload is complete: its file is the proposal's, and stays.`);
      noteForAudit(request, { object: `upload ${id}`, before: { ...inShort(upload), offset: upload.offset } });
      if (!(await store.remove(upload))) throw busy(upload.name);
      await files.clear(upload);
    });
  }

  private get parts(): UploadParts {
    if (this.made !== undefined) return this.made;
    throw new ApiError('upload.off', 'This site takes no uploads. Name files that lie below its data folders.');
  }

  private speak({ headers }: HttpRequest, reply: HttpReply): void {
    reply.header('tus-resumable', tusVersion).header('tus-version', tusVersion);
    checkVersion(headers);
  }
}

import { Body, Controller, Inject, Param, Req, Res } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import { chunkType, type Upload, type UploadView } from '@fleet/contracts/uploads';
import { Uploads, viewOf } from '@fleet/uploads';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { noteForAudit } from '../../http/audit-note';
import { AuditTrail } from '../../auth/audit/audit-trail';
import { ApiError } from '../../http/errors/problem-details';
import { ReadsArriving } from '../../http/arriving-body';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { ChunkBody } from '../../http/chunk-body';
import { checkVersion, lengthOf, readOffset, readUpload, tusVersion } from './read-upload';

const inShort = ({ proposal, name, size }: Upload): Record<string, unknown> => ({ proposal, name, size });

/** Resumable uploads in chunks: tus 1.0 with creation and termination. */
@Controller()
export class UploadsController {
  constructor(
    @Inject(Uploads) private readonly made: Uploads | undefined,
    private readonly trail: AuditTrail,
  ) {}

  /** The protocol's discovery request. */
  @Handles(routes.uploads.options)
  options(@Res({ passthrough: true }) reply: HttpReply): void {
    reply
      .header('tus-resumable', tusVersion)
      .header('tus-version', tusVersion)
      .header('tus-extension', 'creation,termination')
      .header('tus-max-size', this.uploads.rules.maxFileBytes);
  }

  @Handles(routes.uploads.begin)
  async begin(@Req() request: HttpRequest, @Res({ passthrough: true }) reply: HttpReply): Promise<UploadView> {
    this.speak(request, reply);
    const upload = await this.uploads.begin(principalOf(request), readUpload(request.headers, this.uploads.rules));
    noteForAudit(request, { object: `upload ${upload.id}`, after: inShort(upload) });
    reply.header('location', `/v1/uploads/${upload.id}`);
    return viewOf(upload);
  }

  @Handles(routes.uploads.offset)
  async offset(
    @Param('id') id: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<void> {
    this.speak(request, reply);
    const { state, problem, offset, size } = await this.uploads.find(id);
    if (state === 'refused') throw new ApiError('upload.refused', problem ?? '');
    reply.header('cache-control', 'no-store').header('upload-offset', offset).header('upload-length', size);
  }

  @Handles(routes.uploads.view)
  async view(@Param('id') id: string): Promise<UploadView> {
    return viewOf(await this.uploads.find(id));
  }

  @Handles(routes.uploads.append)
  @ReadsArriving(ChunkBody)
  async append(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<void> {
    if (!(body instanceof ChunkBody))
      throw new ApiError('request.unsupported_media_type', `A chunk of an upload has the type ${chunkType}.`);
    try {
      this.speak(request, reply);
      const upload = await this.uploads.append(await this.uploads.find(id), {
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
      // If it was rejected before it was read, the client must receive the reason.
      body.passOver();
    }
  }

  @Handles(routes.uploads.remove)
  async remove(
    @Param('id') id: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<void> {
    this.speak(request, reply);
    await this.uploads.remove(id, (upload) =>
      noteForAudit(request, { object: `upload ${id}`, before: { ...inShort(upload), offset: upload.offset } }),
    );
  }

  private get uploads(): Uploads {
    if (this.made !== undefined) return this.made;
    throw new ApiError('upload.off', 'This site accepts no uploads. Use files in its data folders.');
  }

  private speak({ headers }: HttpRequest, reply: HttpReply): void {
    reply.header('tus-resumable', tusVersion).header('tus-version', tusVersion);
    checkVersion(headers);
  }
}

import { Body, Controller, Req } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import type { SubmissionReading } from '@fleet/contracts/submissions';
import { ReadSubmission } from '@fleet/sessions';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import type { HttpRequest } from '../../http/http-types';

/** Previews of a submission. */
@Controller()
export class SubmissionsController {
  constructor(private readonly reading: ReadSubmission) {}

  @Handles(routes.submissions.read)
  read(@Body() body: unknown, @Req() request: HttpRequest): Promise<SubmissionReading> {
    return this.reading.run(body, principalOf(request));
  }
}

import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { SubmissionReading } from '@fleet/contracts';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { BATCH_RULES, type BatchRules } from '../batches/batch-rules';
import type { HttpRequest } from '../http/http-types';
import { SubmissionReadingDocs } from '../openapi/folder-docs';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';
import { readSubmission } from './read-submission';

/** What is not a session yet. */
@Controller('v1/submissions')
export class SubmissionsController {
  constructor(
    @Inject(BATCH_RULES) private readonly rules: BatchRules,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge,
  ) {}

  @Post('readings')
  @Requires('session.submit')
  @HttpCode(200)
  @SubmissionReadingDocs()
  read(@Body() body: unknown, @Req() request: HttpRequest): Promise<SubmissionReading> {
    const { submission, firstStep } = this.rules;
    return readSubmission(body, { submission, firstStep, knowledge: this.knowledge }, principalOf(request));
  }
}

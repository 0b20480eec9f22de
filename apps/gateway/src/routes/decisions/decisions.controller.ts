import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import { decisionRoutes, type DecideResponse } from '@fleet/decision-api';
import { accountOfPrincipal } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import type { Requester, DecisionDesk } from './decision-task';

export const DECISION_DESK = Symbol('DecisionDesk');

export interface EncodedAnswer {
  readonly encoded_response: string;
}

const encodedIn = (body: unknown): string | undefined => {
  const encoded: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'encoded_request') : undefined;
  return typeof encoded === 'string' ? encoded : undefined;
};

/** Aborts model calls when the client disconnects. */
const requesterOf = (request: HttpRequest, { raw }: HttpReply): Requester => {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return { ...accountOfPrincipal(request), signal: gone.signal };
};

/** The v2 decision API: one request, one decision, no state. */
@Controller()
export class DecisionsController {
  constructor(@Inject(DECISION_DESK) private readonly desk: DecisionDesk) {}

  /**
   * Accepts a request as JSON, or `{"encoded_request": "ZZLBZZ…"}`, and responds in the same form; 400 with `error` for
   * an invalid v2 request.
   */
  @Handles(decisionRoutes.decisions.decide)
  async decide(
    @Body() body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<DecideResponse | EncodedAnswer> {
    const by = requesterOf(request, reply);
    const encoded = encodedIn(body);
    if (encoded === undefined) {
      const response = await this.desk.answer(body, by);
      if (response.error !== null) reply.code(400);
      return response;
    }
    const answer = await this.desk.answerEncoded(encoded, by);
    if (answer.failed) reply.code(400);
    return { encoded_response: answer.encoded };
  }
}

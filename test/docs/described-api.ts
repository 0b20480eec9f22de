import { DECISION_DESK } from '../../apps/gateway/src/routes/decisions/decisions.controller';
import { DecisionsModule } from '../../apps/gateway/src/routes/decisions/decisions.module';
import { GatewayHarness } from '../api/gateway-harness';
import type { ApiDocument } from './api-changes';

/** The whole OpenAPI document, as a gateway gives it that decides too. */
export const describedApi = async (): Promise<ApiDocument> => {
  const answer = (): Promise<object> => Promise.resolve({ error: null });
  const desk = { provide: DECISION_DESK, useFactory: () => ({ answer, answerEncoded: answer, replay: answer }) };
  const gateway = await GatewayHarness.start({ imports: [DecisionsModule.forRoot(desk as never)] });
  try {
    return (await gateway.get('/docs-json')).json() as ApiDocument;
  } finally {
    await gateway.stop();
  }
};

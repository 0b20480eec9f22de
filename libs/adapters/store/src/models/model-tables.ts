import type { Generated } from 'kysely';
import type { RequestedModel, ModelOutcome } from '@fleet/contracts/models';
import type { ModelBudgets } from '@fleet/ports';
import type { Json } from '../json-column';

/** Requests to models and their cost. */
export interface ModelTables {
  model_works: { session: string; work: string; worker: string; held_until: Date };
  model_requests: {
    session: string;
    number: number;
    work: string;
    request: Json<RequestedModel>;
    outcome: Json<ModelOutcome> | null;
  };
  model_accounts: {
    kind: keyof ModelBudgets;
    name: string;
    requests: Generated<number>;
    tokens: Generated<number>;
    cost: Generated<number>;
    kept_until: Date | null;
  };
  text_requests: {
    id: Generated<string>;
    session: string;
    cycle: number | null;
    number: number;
    requested_at: Date;
    due_at: Date;
  };
}

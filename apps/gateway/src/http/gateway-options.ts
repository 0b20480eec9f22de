import type { DataRoot } from '@fleet/access';
import type { OpenAccess } from '@fleet/contracts/access';
import type { SharesPolicy } from '@fleet/contracts/launches';
import type { RetentionRule } from '@fleet/contracts/retention';
import type { BackendName } from '@fleet/contracts/service';
import type { UploadRules } from '@fleet/contracts/uploads';

export const GATEWAY_OPTIONS = Symbol('GatewayOptions');

/** In a minute, over all gateways; 0: no limit. */
export interface Rates {
  /** Of one principal. */
  readonly requestsPerMinute: number;
  /** Of one principal: sessions, and rows of batches. */
  readonly submissionsPerMinute: number;
  /** Of one address, without a valid key or token. */
  readonly refusalsPerMinute: number;
}

/** Settings of the gateway, from its configuration. */
export interface GatewayOptions {
  /** Below which submitted files lie, and whose they are. */
  readonly dataRoots: readonly DataRoot[];
  /** Absolute folder below which results lie; files there may be submitted again. */
  readonly workRoot: string;
  /** What runs the programs of this facility. */
  readonly backend: BackendName;
  /** False: there is nothing at /v1/admin. */
  readonly adminApi: boolean;
  /** Of times that people read. */
  readonly timeZone: string;
  /** Who reaches it, and may do everything as long as it asks nobody who they are. */
  readonly openAccess: OpenAccess;
  /** How often somebody may ask. */
  readonly rates: Rates;
  /** How slots are shared as long as no administrator says otherwise. */
  readonly shares: SharesPolicy;
  /** How long ended sessions are kept; without a rule without end. */
  readonly retention: readonly RetentionRule[];
  /** What may be uploaded; absent: nothing. */
  readonly uploads?: UploadRules;
  /** Milliseconds in which somebody who uploads has to send something. */
  readonly uploadIdleMs: number;
  readonly maxFiles: number;
  readonly maxBodyBytes: number;
  readonly maxEventStreams: number;
  /** Milliseconds between two signs of life on a silent event stream. */
  readonly heartbeatMs: number;
  /** Milliseconds in which a client of many sessions has to take what was sent to it. */
  readonly slowClientMs: number;
  /** Events read at a time. */
  readonly eventBatch: number;
  /** Milliseconds after which the sweeper looks after a new session whose wake-up was lost. */
  readonly dueInMs: number;
}

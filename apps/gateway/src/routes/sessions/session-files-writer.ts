import { failureText } from '@fleet/contracts/faults';
import { BackgroundLoop } from '@fleet/loop';
import { METRICS, OWED_FILES, unmeasured, type Metrics, type OwedFiles } from '@fleet/ports';
import { FolderFollower } from '@fleet/sessions';
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { GatewaySessionPorts } from './session-commands';

/** Milliseconds between two checks if nothing is pending. */
const idleMs = 300;

/** Writes `session.json` and the summary of sessions that have moved. Every gateway does so, without a leader. */
@Injectable()
export class SessionFilesWriter extends BackgroundLoop {
  constructor(
    { records, folder, knowledge }: GatewaySessionPorts,
    @Inject(OWED_FILES) owed: OwedFiles,
    @Optional() @Inject(METRICS) metrics: Metrics = unmeasured,
  ) {
    const logger = new Logger('SessionFiles');
    const onUnwritten = (sessionId: string, error: unknown): void => {
      metrics.count('phenix_fleet_session_file_failures_total', {});
      const reason = failureText(error);
      logger.warn({ message: 'session.json cannot be written now; it is retried', sessionId, reason });
    };
    const follower = new FolderFollower({ records, folder, knowledge, owed, onUnwritten });
    super(
      () => follower.look(),
      idleMs,
      (error) => logger.warn({ message: 'session.json is written later', reason: failureText(error) }),
    );
  }
}

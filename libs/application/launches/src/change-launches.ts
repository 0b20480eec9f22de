import { doneBy } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { LaunchState } from '@fleet/contracts/launches';
import { routes } from '@fleet/contracts/routes';
import { readBody } from '@fleet/problems';
import type { LaunchPorts } from './launch-ports';

export interface ChangedLaunches {
  /** The administrator's setting before and after, without maintenance. */
  readonly before: LaunchState;
  readonly after: LaunchState;
  /** The effective state: after opening launches, a maintenance window may still hold them. */
  readonly now: LaunchState;
}

/** Opens, pauses or drains launches. The gateway touches no run: executors do it. */
export class ChangeLaunches {
  constructor(private readonly ports: Pick<LaunchPorts, 'control'>) {}

  /** @throws Fault `request.invalid` */
  async run(body: unknown, principal: Principal): Promise<ChangedLaunches> {
    const { control } = this.ports;
    const { mode, reason = '', by = '' } = readBody(routes.administration.setLaunch, body);
    const before = await control.said();
    const after = await control.set({ mode, reason: reason.trim(), by: doneBy(principal, by) });
    return { before, after, now: await control.read() };
  }
}

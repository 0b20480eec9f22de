import { doneBy } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { LaunchState } from '@fleet/contracts/launches';
import { routes } from '@fleet/contracts/routes';
import { readBody } from '@fleet/problems';
import type { LaunchPorts } from './launch-ports';

export interface ChangedLaunches {
  /** As administrators said and say, maintenance left aside. */
  readonly before: LaunchState;
  readonly after: LaunchState;
  /** What holds: who opens launches reads that a maintenance window still holds them. */
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

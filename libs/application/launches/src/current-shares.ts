import { doneBy } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { sharesPolicySchema, type SharesPolicy, type SharesView } from '@fleet/contracts/launches';
import { routes } from '@fleet/contracts/routes';
import { withDefaults } from '@fleet/contracts/schema';
import { mayBeLive } from '@fleet/fair-shares';
import { readBody } from '@fleet/problems';
import type { LaunchPorts } from './launch-ports';

/** How slots are shared now: the administrator's setting, otherwise the configuration. */
export class CurrentShares {
  constructor(private readonly ports: Pick<LaunchPorts, 'sharesControl' | 'configuredShares'>) {}

  async view(): Promise<SharesView> {
    const state = await this.ports.sharesControl.read();
    if (state === undefined) return { policy: this.ports.configuredShares, setBy: 'configuration', by: '' };
    return { ...state, setBy: 'administrator' };
  }

  /** @throws Fault `request.invalid` */
  async set(body: unknown, principal: Principal): Promise<{ readonly before: SharesView; readonly after: SharesView }> {
    const change = readBody(routes.shares.set, body);
    const before = await this.view();
    const policy = withDefaults(sharesPolicySchema, change.policy) as SharesPolicy;
    const state = await this.ports.sharesControl.set({ policy, by: doneBy(principal, change.by ?? '') });
    return { before, after: { ...state, setBy: 'administrator' } };
  }

  async mayBeLive(of: { readonly proposal: string; readonly beamline: string }): Promise<boolean> {
    return mayBeLive((await this.view()).policy, of);
  }
}

import type { SharesChange, SharesPolicy, SharesView } from '@fleet/contracts';
import { sharesPolicySchema, withDefaults } from '@fleet/contracts';
import { mayBeLive } from '@fleet/fair-shares';
import { SHARES_CONTROL, type SharesControl } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';

/** How slots are shared now: as an administrator has said, or else as it is configured. */
@Injectable()
export class CurrentShares {
  constructor(
    @Inject(SHARES_CONTROL) private readonly control: SharesControl,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  async view(): Promise<SharesView> {
    const state = await this.control.read();
    if (state === undefined) return { policy: this.options.shares, setBy: 'configuration', by: '' };
    return { ...state, setBy: 'administrator' };
  }

  async set({ policy, by = '' }: SharesChange): Promise<SharesView> {
    const whole = withDefaults(sharesPolicySchema, policy) as SharesPolicy;
    return { ...(await this.control.set({ policy: whole, by: by.trim() })), setBy: 'administrator' };
  }

  async mayBeLive(of: { readonly proposal: string; readonly beamline: string }): Promise<boolean> {
    return mayBeLive((await this.view()).policy, of);
  }
}

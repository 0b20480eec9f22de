import type { SharesPolicy } from '@fleet/contracts/launches';
import type { LaunchPolicy, SiteLimits } from '@fleet/fair-shares';
import type { Clock, SharesControl } from '@fleet/ports';

/** Milliseconds until a new setting of an administrator takes effect. */
const freshMs = 2_000;

/** The launch policy: the site's limits, and the shares set by an administrator, or else the configured ones. */
export class CurrentPolicy {
  private known: { readonly policy: LaunchPolicy; readonly at: number } | undefined;

  constructor(
    private readonly control: Pick<SharesControl, 'read'>,
    private readonly site: SiteLimits,
    private readonly configured: SharesPolicy,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<LaunchPolicy> {
    const now = this.clock.now();
    if (this.known !== undefined && now - this.known.at < freshMs) return this.known.policy;
    const shares = (await this.control.read())?.policy ?? this.configured;
    const policy = { site: this.site, shares };
    this.known = { policy, at: now };
    return policy;
  }
}

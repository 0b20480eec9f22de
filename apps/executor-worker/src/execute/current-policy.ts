import type { SharesPolicy } from '@fleet/contracts/launches';
import type { LaunchPolicy, SiteLimits } from '@fleet/fair-shares';
import type { Clock, SharesControl } from '@fleet/ports';

/** Milliseconds after which what an administrator has said meanwhile is seen. */
const freshMs = 2_000;

/** What launches follow: the limits of the site, and the shares as an administrator has said, or else as they are configured. */
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

import { isConfigError } from '@fleet/config';
import { accountOf, sharedAccount } from './shared-account';

describe('the account of programs, where there are keys', () => {
  it('is told on one machine where somebody has accepted that all share it, and stops the gateway where nobody has', () => {
    expect(accountOf({ backend: 'local' }, { sharedAccount: 'accepted' })).toBe(sharedAccount);
    const refused = (): unknown => {
      try {
        return accountOf({ backend: 'local' }, { sharedAccount: 'refused' });
      } catch (error) {
        return isConfigError(error) ? error.problems[0]?.variable : error;
      }
    };
    expect(refused()).toBe('FLEET_SHARED_ACCOUNT');
  });

  it('is of each proposal where a folder says whose', () => {
    const config = { backend: 'local', runAsOwnerOf: '/data/{proposal}' } as const;
    expect(accountOf(config, { sharedAccount: 'refused' })).toBeUndefined();
  });

  it("is the cluster's to give on Kubernetes", () => {
    expect(accountOf({ backend: 'kubernetes' }, { sharedAccount: 'refused' })).toBeUndefined();
  });
});

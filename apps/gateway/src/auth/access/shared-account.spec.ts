import { isConfigError } from '@fleet/config';
import { accountOf, sharedAccount } from './shared-account';

describe('the account of programs, with access control', () => {
  it('is reported on one machine if the configuration accepts a shared one, and otherwise stops the gateway', () => {
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

  it('is that of each proposal if a folder determines it', () => {
    const config = { backend: 'local', runAsOwnerOf: '/data/{proposal}' } as const;
    expect(accountOf(config, { sharedAccount: 'refused' })).toBeUndefined();
  });

  it('is assigned by the cluster on Kubernetes', () => {
    expect(accountOf({ backend: 'kubernetes' }, { sharedAccount: 'refused' })).toBeUndefined();
  });
});

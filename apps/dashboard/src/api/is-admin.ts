import type { MeView } from '@fleet/contracts/access';

/** Whether somebody may look at the whole service. */
export const isAdmin = ({ role, scopes }: MeView): boolean => role === 'admin' && scopes.includes('admin');

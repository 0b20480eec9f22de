import type { MeView } from '@fleet/contracts/access';

/** Whether the user may see the whole service. */
export const isAdmin = ({ role, scopes }: MeView): boolean => role === 'admin' && scopes.includes('admin');

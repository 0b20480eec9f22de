import type { ApiKey } from '@fleet/contracts/access';
import type { Json } from '../json-column';

/** Tables for access control. */
export interface AccessTables {
  access_keys: {
    id: string;
    owner: string;
    created_at: Date;
    expires_at: Date;
    key: Json<ApiKey>;
    revoked_at: Date | null;
    revoked_by: string | null;
    used_at: Date | null;
  };
}

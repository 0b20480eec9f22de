/** API keys, uploads, and the installation that the database belongs to. */
export const access = `
CREATE TABLE access_keys (
  id text COLLATE "C" PRIMARY KEY,
  owner text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  key json NOT NULL,
  revoked_at timestamptz,
  revoked_by text,
  used_at timestamptz
);

CREATE TABLE uploads (
  id text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  upload json NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX ON uploads (until);

CREATE TABLE upload_days (
  proposal text PRIMARY KEY,
  bytes bigint NOT NULL,
  until timestamptz NOT NULL
);
COMMENT ON TABLE upload_days IS 'the 24 hours of a proposal begin with its first upload';

CREATE TABLE upload_writers (
  upload text COLLATE "C" PRIMARY KEY,
  writer text NOT NULL,
  until timestamptz NOT NULL
);

CREATE TABLE installation (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  id text NOT NULL
);
`;

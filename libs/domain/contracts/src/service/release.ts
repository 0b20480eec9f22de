/** The version of this release, as in package.json: what `phx --version` prints, and what clients of the v2 API read as `server_version`. */
export const releaseVersion = '0.1.0';

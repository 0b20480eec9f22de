/** The version of this release, as in package.json: printed by `phx --version`, and read by clients of the v2 API as `server_version`. */
export const releaseVersion = '0.1.0';

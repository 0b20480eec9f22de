/** What clients read as `server_version`: the version of package.json. */
export const serverVersion = '0.1.0';

/**
 * Where a browser logs in, and from where it comes back to this page.
 * @param login the gateway's own address of logins
 */
export const addressOfLogin = (
  login: string,
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
): string => {
  const address = new URL(login);
  address.searchParams.set('return_to', `${pathname}${search}${hash}`);
  return address.href;
};

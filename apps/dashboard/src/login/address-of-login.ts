/**
 * The login URL, which returns to this page.
 * @param login the gateway's login URL
 */
export const addressOfLogin = (
  login: string,
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
): string => {
  const address = new URL(login);
  address.searchParams.set('return_to', `${pathname}${search}${hash}`);
  return address.href;
};

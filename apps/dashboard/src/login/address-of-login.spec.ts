import { addressOfLogin } from './address-of-login';

it('returns to the page that was open, whatever its URL contains', () => {
  const at = { pathname: '/ui/sessions', search: '?text=a&status=running', hash: '#c3' };
  const address = new URL(addressOfLogin('https://fleet.example.org/v1/login', at));
  expect([address.pathname, address.searchParams.get('return_to')]).toEqual([
    '/v1/login',
    '/ui/sessions?text=a&status=running#c3',
  ]);
});

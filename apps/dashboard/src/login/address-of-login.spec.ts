import { addressOfLogin } from './address-of-login';

it('comes back to the page that was open, whatever its address holds', () => {
  const at = { pathname: '/ui/sessions', search: '?text=a&status=running', hash: '#c3' };
  const address = new URL(addressOfLogin('https://fleet.example.org/v1/login', at));
  expect([address.pathname, address.searchParams.get('return_to')]).toEqual([
    '/v1/login',
    '/ui/sessions?text=a&status=running#c3',
  ]);
});

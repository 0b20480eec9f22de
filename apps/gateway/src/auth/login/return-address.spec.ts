import fc from 'fast-check';
import { isApiError } from '../../http/errors/problem-details';
import { returnAddress } from './return-address';

const own = 'https://fleet.example';

/** The origin of a return address; undefined if it is rejected. */
const originOf = (asked: string): string | undefined => {
  try {
    return new URL(returnAddress(own, asked)).origin;
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
};

describe('the return address of a login', () => {
  it('is the requested path, or the dashboard', () => {
    expect(returnAddress(own, '/ui/sessions?status=running#x')).toBe(`${own}/ui/sessions?status=running#x`);
    expect(returnAddress(own, undefined)).toBe(`${own}/ui/`);
  });

  it('includes the path prefix that a proxy removes', () => {
    expect(returnAddress(`${own}/mx`, undefined)).toBe(`${own}/mx/ui/`);
    expect(returnAddress(`${own}/mx`, '/mx/ui/sessions')).toBe(`${own}/mx/ui/sessions`);
    expect(() => returnAddress(`${own}/mx`, '/other')).toThrow('not one of this gateway');
    expect(() => returnAddress(`${own}/mx`, '/mx/../other')).toThrow('not one of this gateway');
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/x\r\nset-cookie: a=b',
    'javascript:alert(1)',
    '',
  ])('is never that of another origin: %j', (asked) => {
    expect(originOf(asked)).toBeUndefined();
  });

  it('always belongs to this gateway', () => {
    const pieces = fc.constantFrom('/', '\\', '.', '@', ':', '?', '#', '%2f', 'evil.example', '\t', ' ', 'https:');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) =>
        expect([own, undefined]).toContain(originOf(`/${parts.join('')}`)),
      ),
    );
  });
});

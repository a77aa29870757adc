import { expect, test } from 'vitest';
import { decodeToken } from './token.ts';

const jwt = (claims: unknown): string => {
  const part = (value: unknown): string =>
    btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  return `${part({ alg: 'HS256' })}.${part(claims)}.signature`;
};

test('[AUTH-04] a token’s claims are read, including letters with accents', () => {
  expect(decodeToken(jwt({ sub: 'Zoë', exp: 1000, iat: 100 }))).toEqual({
    subject: 'Zoë',
    expires: 1_000_000,
    issued: 100_000,
  });
});

test.each([
  '',
  'a.b',
  'a.b.c',
  'x.%%%.y',
  jwt({ sub: '1' }),
  jwt({ exp: 'soon' }),
  jwt(null),
  `${jwt({ exp: 1 })}.more`,
])('[AUTH-04] a token that is malformed or has no expiry is not accepted: %s', (token) => {
  expect(decodeToken(token)).toBeNull();
});

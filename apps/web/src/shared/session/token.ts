/** The claims that a page reads from its token. Only the server can tell whether the token is valid. */
export interface TokenClaims {
  /** The account's id. */
  subject: string;
  /** When the token expires, in milliseconds since 1970. */
  expires: number;
  /** When the token was issued, in milliseconds since 1970; null if the token does not say. */
  issued: number | null;
}

/** Reads a token; null when it is malformed or never expires (AUTH-04). */
export function decodeToken(token: string): TokenClaims | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const base64 = (parts[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown> | null;
    const exp = claims?.['exp'];
    if (typeof exp !== 'number' || !Number.isFinite(exp)) return null;
    const iat = claims?.['iat'];
    const sub = claims?.['sub'];
    return {
      subject: typeof sub === 'string' ? sub : '',
      expires: exp * 1000,
      issued: typeof iat === 'number' ? iat * 1000 : null,
    };
  } catch {
    return null;
  }
}

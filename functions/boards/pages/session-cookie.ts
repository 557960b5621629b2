/** Browsers send the cookie only to the pages; the operations of the API accept no cookies. */
const PATH = '/api/d';
const NAME = 'analytics-session';
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

/**
 * `Strict`: other sites can neither send the cookie with their requests nor set it. `Secure` unless the platform is
 * reached over plain HTTP, which happens only on one machine.
 */
export const sessionCookie = (token: string, { isSecure }: { isSecure: boolean }): string =>
  cookie(token, MAX_AGE_SECONDS, isSecure);

export const endedCookie = ({ isSecure }: { isSecure: boolean }): string => cookie('', 0, isSecure);

const cookie = (value: string, maxAge: number, isSecure: boolean): string =>
  `${NAME}=${value}; Path=${PATH}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** The refresh token that the browser sends. */
export function sessionTokenOf({ cookie: sent = '' }: Readonly<Record<string, string>>): string | undefined {
  for (const part of sent.split(';')) {
    const [name, value] = part.trim().split('=');
    if (name === NAME && value) return value;
  }
  return undefined;
}

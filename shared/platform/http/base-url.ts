/**
 * The address of the API as the client reached it, such as `https://api.example.com/api`. A gateway routes by the host,
 * so a client cannot choose another one; on one machine it can, and learns an address that only its own requests use.
 */
export function baseUrl(headers: Readonly<Record<string, string>>, configured = process.env.PUBLIC_URL): string {
  if (configured) return `${configured.replace(/\/$/, '')}/api`;
  return `${headers['x-forwarded-proto'] ?? 'http'}://${headers.host}/api`;
}

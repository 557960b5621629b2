import { isIP } from 'node:net';

/**
 * Whether a host name or address is this machine's own, under which no foreign site can be reached. Browsers resolve
 * `localhost` and every name below it themselves, so DNS cannot point them elsewhere.
 */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (isIP(name) === 4) return name.startsWith('127.');
  if (isIP(name) === 6) return name === '::1' || /^::ffff:127\./.test(name);
  return name === 'localhost' || name.endsWith('.localhost');
}

/** The name or address in a `Host` header or an origin, without the port. */
export function hostNameOf(host: string): string {
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':', 1)[0] as string);
}

/** Whether a page of this origin may use the AWS services: only pages of this machine may. */
export function isOwnOrigin(origin: string): boolean {
  const host = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
  return host !== undefined && isLoopback(hostNameOf(host));
}

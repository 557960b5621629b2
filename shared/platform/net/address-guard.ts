import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { DataError } from '../errors/data-error.ts';
import { addressPolicy, type Cidr, isAnyOf, isLoopbackAddress } from './ip-ranges.ts';

/** The target is not allowed. The message never contains an address that a name resolved to. */
export class AddressBlocked extends DataError {
  /** `INVALID`: not a valid target; `BLOCKED`: a target that leads, or may lead, to a closed network. */
  readonly reason: 'INVALID' | 'BLOCKED';

  constructor(reason: 'INVALID' | 'BLOCKED', message: string) {
    super('ADDRESS_BLOCKED', message);
    this.name = 'AddressBlocked';
    this.reason = reason;
  }
}

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Scheme = 'http' | 'https';

export interface AddressGuard {
  /**
   * Checks a URL without resolving names: its scheme, port (80, 443 or from 1024), no user name, no fragment, no
   * address or name of a closed network in any spelling, not the platform itself. Returns the parsed URL; dial this
   * one, never another parse of the text, with `lookup`. Throws AddressBlocked.
   */
  readUrl(text: string, options: { schemes: readonly Scheme[] }): URL;
  /** Combines `readUrl` and `checkHost`, for a URL that is saved. Throws AddressBlocked. */
  checkUrl(text: string, options: { schemes: readonly Scheme[] }): Promise<URL>;
  /**
   * Checks a host name or address in any spelling and returns its normal form, which must be used to dial. A name that
   * cannot be resolved passes: `lookup` decides when it is dialled. Throws AddressBlocked.
   */
  checkHost(host: string, port: number): Promise<string>;
  /**
   * The `lookup` option of net, tls, http and https for a port. It returns the addresses that are dialled, and fails if
   * any of them is blocked. Node does not call it for IP addresses, so `checkHost` or `readUrl` must precede every
   * dial.
   */
  lookup(port: number): LookupFunction;
}

export interface AddressGuardOptions {
  /**
   * Private ranges that the operator allows. Metadata and link-local addresses stay blocked; loopback needs a range of
   * its own.
   */
  allowedPrivateCidrs: readonly Cidr[];
  /**
   * Where the platform itself answers on this machine. Its port stays closed on all addresses of the machine, even if
   * their range is allowed: behind it are the data of all tenants.
   */
  ownEndpoint?: string | undefined;
  /** Resolves all addresses of a name; the system's resolver when absent. */
  resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
}

const METADATA_NAMES = new Set([
  'metadata',
  'metadata.goog',
  'instance-data',
  'metadata.azure.com',
  'metadata.tencentyun.com',
]);
const LOOPBACK_NAMES = new Set(['localhost', 'localhost6', 'ip6-localhost', 'ip6-loopback']);
const LOOPBACK_SUFFIXES = ['.localhost', '.localdomain', '.localdomain6'];
const CLOSED_SUFFIXES = ['.local', '.internal'];
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const policy = addressPolicy(options.allowedPrivateCidrs);
  const resolve = options.resolve ?? ((host: string) => systemLookup(host, { all: true, verbatim: true }));

  const ownPort = options.ownEndpoint === undefined ? undefined : portOf(new URL(options.ownEndpoint));

  function checkAddress(address: string, port: number): void {
    if (!policy.allows(address)) throw blocked();
    if (port === ownPort && isThisMachine(address)) throw own();
  }

  function checkName(host: string, port: number): void {
    if (isIP(host) !== 0) {
      checkAddress(host, port);
      return;
    }
    const isLoopback = LOOPBACK_NAMES.has(host) || LOOPBACK_SUFFIXES.some((suffix) => host.endsWith(suffix));
    if (isLoopback && !policy.opensLoopback) throw blocked();
    if (isLoopback && port === ownPort) throw own();
    if (METADATA_NAMES.has(host) || CLOSED_SUFFIXES.some((suffix) => host.endsWith(suffix))) throw blocked();
  }

  async function allowedAddresses(host: string, port: number): Promise<readonly ResolvedAddress[]> {
    const addresses = await resolve(host);
    for (const { address } of addresses) checkAddress(address, port);
    return addresses;
  }

  /** A name that cannot be resolved passes: `lookup` decides when it is dialled. */
  async function checkAddresses(host: string, port: number): Promise<void> {
    if (isIP(host) !== 0) return;
    await allowedAddresses(host, port).catch((error) => {
      if (error instanceof AddressBlocked) throw error;
    });
  }

  function readUrl(text: string, { schemes }: { schemes: readonly Scheme[] }): URL {
    const url = parse(text, 'The URL is not valid.');
    if (!schemes.some((scheme) => url.protocol === `${scheme}:`)) {
      const beginnings = schemes.map((scheme) => `${scheme}://`).join(' or ');
      throw new AddressBlocked('INVALID', `The URL must start with ${beginnings}.`);
    }
    if (url.username || url.password)
      throw new AddressBlocked('INVALID', 'The URL must not contain a user name or password.');
    if (url.hash || text.includes('#')) throw new AddressBlocked('INVALID', 'The URL must not contain a fragment.');
    const port = portOf(url);
    if (port < 1024 && port !== 80 && port !== 443) throw new AddressBlocked('BLOCKED', `Port ${port} is not allowed.`);
    const host = normalHost(url.hostname);
    checkName(host, port);
    url.hostname = isIP(host) === 6 ? `[${host}]` : host;
    return url;
  }

  return {
    readUrl,

    async checkUrl(text, options) {
      const url = readUrl(text, options);
      await checkAddresses(normalHost(url.hostname), portOf(url));
      return url;
    },

    async checkHost(text, port) {
      const host = normalHost(parseHost(text));
      checkName(host, port);
      await checkAddresses(host, port);
      return host;
    },

    lookup: (port) => (hostname, lookupOptions, callback) => {
      const answer = async () => {
        const host = normalHost(parseHost(hostname));
        checkName(host, port);
        const family = lookupOptions.family === 'IPv4' ? 4 : lookupOptions.family === 'IPv6' ? 6 : lookupOptions.family;
        const addresses = (await allowedAddresses(host, port)).filter(
          (address) => !family || address.family === family,
        );
        if (addresses.length === 0) throw Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' });
        return addresses;
      };
      answer().then(
        (addresses) => {
          if (lookupOptions.all) callback(null, [...addresses]);
          else callback(null, addresses[0]!.address, addresses[0]!.family);
        },
        (error) => callback(error, ''),
      );
    },
  };
}

/** The port of a URL, including the default of its scheme. */
export function portOf(url: URL): number {
  return url.port === '' ? DEFAULT_PORTS[url.protocol]! : Number(url.port);
}

function isThisMachine(address: string): boolean {
  if (isLoopbackAddress(address)) return true;
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return isAnyOf(
    address,
    own.map((each) => each.address),
  );
}

const own = () => new AddressBlocked('BLOCKED', 'The address is the platform itself.');

const blocked = () => new AddressBlocked('BLOCKED', 'The address is in a network that is not allowed.');

function parse(text: string, message: string): URL {
  // The URL parser drops tabs and line breaks and converts backslashes, so such texts are rejected: the visible URL
  // must be the one that is dialled.
  const url = /[\s\\\p{Cc}\p{Cf}]/u.test(text) ? null : URL.parse(text);
  if (!url) throw new AddressBlocked('INVALID', message);
  return url;
}

/** Parses a host with the URL parser, which handles every spelling of IPv4 addresses and Unicode names. */
function parseHost(text: string): string {
  const message = 'The host is not valid.';
  const bracketed = isIP(text) === 6 ? `[${text}]` : text;
  if (text === '' || /[/?#@%]/.test(text) || (text.includes(':') && !bracketed.startsWith('[')))
    throw new AddressBlocked('INVALID', message);
  const url = parse(`http://${bracketed}/`, message);
  if (url.port || /\]:\d*$/.test(bracketed)) throw new AddressBlocked('INVALID', message);
  return url.hostname;
}

/** The normal form for comparisons: no brackets, no trailing dot, and a name that is valid in DNS. */
function normalHost(hostname: string): string {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) return host;
  const labels = host.split('.');
  if (host.length > 253 || labels.some((label) => label === '' || label.length > 63 || !/^[a-z0-9_-]+$/.test(label))) {
    throw new AddressBlocked('INVALID', 'The host is not valid.');
  }
  return host;
}

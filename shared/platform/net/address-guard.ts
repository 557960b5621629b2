import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { DataError } from '../errors/data-error.ts';
import { addressPolicy, type Cidr } from './ip-ranges.ts';

/** The target may not be dialled. The sentence never tells an address that a name resolved to. */
export class AddressBlocked extends DataError {
  /** `INVALID`: not a target at all; `BLOCKED`: one that leads, or may lead, to a closed network. */
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
   * Evaluators what the text of a URL tells without a resolver: scheme, port (80, 443 or from 1024), no user name, no fragment, no
   * address or name of a closed network in any spelling. Returns the parsed URL: dial this one and no other reading of the
   * text, with `lookup`. Throws AddressBlocked.
   */
  readUrl(text: string, options: { schemes: readonly Scheme[] }): URL;
  /** `readUrl`, and the addresses that the host has now as `checkHost` checks them: for a URL that is saved. Throws AddressBlocked. */
  checkUrl(text: string, options: { schemes: readonly Scheme[] }): Promise<URL>;
  /**
   * Checks a host name or address in any spelling and returns its normal form: dial that one. A name that cannot be resolved now
   * passes: `lookup` decides when it is dialled. Throws AddressBlocked.
   */
  checkHost(host: string): Promise<string>;
  /**
   * The `lookup` option of net, tls, http and https: the addresses it gives are the ones dialled, and one bad answer refuses them
   * all. Node does not call it for a host that is an address already, so `checkHost` or `readUrl` goes before every dial.
   */
  lookup: LookupFunction;
}

export interface AddressGuardOptions {
  /** Private ranges that the operator opens; metadata and link-local addresses stay closed, loopback needs a range of its own. */
  allowedPrivateCidrs: readonly Cidr[];
  /** All addresses of a name; the system's resolver when absent. */
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

  function checkName(host: string): void {
    if (isIP(host) !== 0) {
      if (!policy.allows(host)) throw blocked();
      return;
    }
    const isLoopback = LOOPBACK_NAMES.has(host) || LOOPBACK_SUFFIXES.some((suffix) => host.endsWith(suffix));
    if (isLoopback && !policy.opensLoopback) throw blocked();
    if (METADATA_NAMES.has(host) || CLOSED_SUFFIXES.some((suffix) => host.endsWith(suffix))) throw blocked();
  }

  async function allowedAddresses(host: string): Promise<readonly ResolvedAddress[]> {
    const addresses = await resolve(host);
    if (addresses.some(({ address }) => !policy.allows(address))) throw blocked();
    return addresses;
  }

  /** A name that cannot be resolved now passes: `lookup` decides when it is dialled. */
  async function checkAddresses(host: string): Promise<void> {
    if (isIP(host) !== 0) return;
    await allowedAddresses(host).catch((error) => {
      if (error instanceof AddressBlocked) throw error;
    });
  }

  function readUrl(text: string, { schemes }: { schemes: readonly Scheme[] }): URL {
    const url = parse(text, 'The URL is not valid.');
    if (!schemes.some((scheme) => url.protocol === `${scheme}:`)) {
      const beginnings = schemes.map((scheme) => `${scheme}://`).join(' or ');
      throw new AddressBlocked('INVALID', `The URL must begin with ${beginnings}.`);
    }
    if (url.username || url.password)
      throw new AddressBlocked('INVALID', 'The URL must not hold a user name or password.');
    if (url.hash || text.includes('#')) throw new AddressBlocked('INVALID', 'The URL must not hold a fragment.');
    const port = url.port === '' ? DEFAULT_PORTS[url.protocol]! : Number(url.port);
    if (port < 1024 && port !== 80 && port !== 443) throw new AddressBlocked('BLOCKED', `Port ${port} is not allowed.`);
    const host = normalHost(url.hostname);
    checkName(host);
    url.hostname = isIP(host) === 6 ? `[${host}]` : host;
    return url;
  }

  return {
    readUrl,

    async checkUrl(text, options) {
      const url = readUrl(text, options);
      await checkAddresses(normalHost(url.hostname));
      return url;
    },

    async checkHost(text) {
      const host = normalHost(parseHost(text));
      checkName(host);
      await checkAddresses(host);
      return host;
    },

    lookup(hostname, lookupOptions, callback) {
      const answer = async () => {
        const host = normalHost(parseHost(hostname));
        checkName(host);
        const family = lookupOptions.family === 'IPv4' ? 4 : lookupOptions.family === 'IPv6' ? 6 : lookupOptions.family;
        const addresses = (await allowedAddresses(host)).filter((address) => !family || address.family === family);
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

const blocked = () => new AddressBlocked('BLOCKED', 'The address leads to a network that may not be reached.');

function parse(text: string, message: string): URL {
  // The URL parser drops tabs and line ends and turns backslashes around: what people read must be what is parsed.
  const url = /[\s\\\p{Cc}\p{Cf}]/u.test(text) ? null : URL.parse(text);
  if (!url) throw new AddressBlocked('INVALID', message);
  return url;
}

/** A host alone, read by the URL parser, which knows every spelling of an IPv4 address and every Unicode name. */
function parseHost(text: string): string {
  const message = 'The host is not valid.';
  const bracketed = isIP(text) === 6 ? `[${text}]` : text;
  if (text === '' || /[/?#@%]/.test(text) || (text.includes(':') && !bracketed.startsWith('[')))
    throw new AddressBlocked('INVALID', message);
  const url = parse(`http://${bracketed}/`, message);
  if (url.port || /\]:\d*$/.test(bracketed)) throw new AddressBlocked('INVALID', message);
  return url.hostname;
}

/** The form to compare: no brackets, no dot at the end, and a name that DNS can carry. */
function normalHost(hostname: string): string {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) return host;
  const labels = host.split('.');
  if (host.length > 253 || labels.some((label) => label === '' || label.length > 63 || !/^[a-z0-9_-]+$/.test(label))) {
    throw new AddressBlocked('INVALID', 'The host is not valid.');
  }
  return host;
}

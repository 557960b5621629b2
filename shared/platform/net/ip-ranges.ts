import { BlockList, isIP, isIPv4 } from 'node:net';

/** An address range such as `10.0.0.0/8`. */
export type Cidr = string;

/** Ranges that are not routed on the public internet, or that refer to this machine. */
const CLOSED: Cidr[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '2001:db8::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '3fff::/20',
  // Everything outside of 2000::/3, the only range that is assigned to the public internet.
  '100::/8',
  '200::/7',
  '400::/6',
  '800::/5',
  '1000::/4',
  '4000::/2',
  '8000::/1',
];

/** Ranges that an operator may allow: private networks, and loopback by a range of its own. */
const ALLOWABLE: Cidr[] = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
];
const LOOPBACK: Cidr[] = ['127.0.0.0/8', '::1/128'];

/**
 * Metadata services of clouds outside of the link-local ranges. They return credentials, so they are always blocked.
 */
const METADATA: Cidr[] = [
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::/32',
  'fd00:42::42/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd20:ce::254/128',
];

const closed = rangeList(CLOSED);
const openable = rangeList(ALLOWABLE);
const loopback = rangeList(LOOPBACK);
const metadata = rangeList(METADATA);
const unembedded = rangeList(['::/128', '::1/128']);

/**
 * Creates a check whether an address may be dialled. `open` lists the ranges that the operator allows. Throws for a
 * malformed range.
 */
export function addressPolicy(open: readonly Cidr[]): { allows: (address: string) => boolean; opensLoopback: boolean } {
  const opened = rangeList(open);
  // 0.0.0.0/0 allows private networks, but not this machine: that requires a range within loopback.
  const openedLoopback = rangeList(
    open.filter((cidr) => contains(loopback, cidr.split('/')[0]!) && Number(cidr.split('/')[1]) >= 8),
  );

  const allowsOne = (address: string): boolean => {
    if (contains(metadata, address)) return false;
    if (!contains(closed, address)) return true;
    if (contains(loopback, address)) return contains(openedLoopback, address);
    return contains(openable, address) && contains(opened, address);
  };
  return {
    allows: (address) =>
      isIP(address) !== 0 &&
      !address.includes('%') &&
      (isMapped(address) || allowsOne(address)) &&
      embeddedIpv4(address).every(allowsOne),
    opensLoopback: openedLoopback.ipv4.rules.length + openedLoopback.ipv6.rules.length > 0,
  };
}

/** Whether an address is in the loopback network of this machine, in any spelling. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && [address, ...embeddedIpv4(address)].some((each) => contains(loopback, each));
}

/** Whether an address is one of the others, in any spelling. */
export function isAnyOf(address: string, others: readonly string[]): boolean {
  const list = rangeList(others.map((other) => `${other}/${isIPv4(other) ? 32 : 128}`));
  return isIP(address) !== 0 && [address, ...embeddedIpv4(address)].some((each) => contains(list, each));
}

/** One list per family: in a common list an IPv6 range would also contain mapped IPv4 addresses. */
interface Ranges {
  ipv4: BlockList;
  ipv6: BlockList;
}

function rangeList(cidrs: readonly Cidr[]): Ranges {
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/');
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(prefix)) throw new TypeError(`"${cidr}" is not an address range`);
    ranges[familyOf(address)].addSubnet(address, Number(prefix), familyOf(address));
  }
  return ranges;
}

function familyOf(address: string): keyof Ranges {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

const contains = (ranges: Ranges, address: string) => ranges[familyOf(address)].check(address, familyOf(address));

/** `::ffff:a.b.c.d` denotes the IPv4 address itself. */
const isMapped = (address: string) => !isIPv4(address) && startsWith(ipv6Bytes(address), '00000000000000000000ffff');

/** The IPv4 addresses embedded in an IPv6 address, to which it may be routed. */
function embeddedIpv4(address: string): string[] {
  if (isIPv4(address)) return [];
  const bytes = ipv6Bytes(address);
  // The unspecified address and loopback embed no IPv4 address; the ranges contain them already.
  if (contains(unembedded, address)) return [];
  const at = (...indexes: number[]) => indexes.map((i) => bytes[i]).join('.');
  const last = at(12, 13, 14, 15);
  if (startsWith(bytes, '00000000000000000000ffff')) return [last];
  if (startsWith(bytes, '000000000000000000000000')) return [last];
  // Stateless translation, and tunnels within a site.
  if (startsWith(bytes, '0000000000000000ffff0000')) return [last];
  if (startsWith(bytes.subarray(8), '00005efe') || startsWith(bytes.subarray(8), '02005efe')) return [last];
  if (startsWith(bytes, '0064ff9b0000000000000000')) return [last];
  if (startsWith(bytes, '0064ff9b0001')) return [last, at(6, 7, 9, 10)];
  if (startsWith(bytes, '2002')) return [at(2, 3, 4, 5)];
  if (startsWith(bytes, '20010000')) {
    const client = [12, 13, 14, 15].map((i) => bytes[i]! ^ 0xff).join('.');
    return [at(4, 5, 6, 7), client];
  }
  return [];
}

const startsWith = (bytes: Uint8Array, hex: string) => Buffer.from(bytes).toString('hex').startsWith(hex);

/** The 16 bytes of an IPv6 address in any spelling. */
function ipv6Bytes(address: string): Uint8Array {
  // The URL parser normalizes every spelling to groups of hexadecimal digits with at most one "::".
  const host = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const all = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

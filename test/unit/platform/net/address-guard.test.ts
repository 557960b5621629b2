import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AddressBlocked, createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { cases } from '../../../support/cases.ts';
import { HOSTILE_HOSTS, HOSTILE_URLS, INVALID_HOSTS } from './hostile-targets.ts';
import { CLOSED_IPV4, dotted, IPV4_NOTATIONS, NOTATIONS } from './ipv4-notations.ts';

const PUBLIC = { address: '93.184.216.34', family: 4 };

/** A guard whose names resolve to what a table says, all others to one public address. */
function guardWith(allowedPrivateCidrs: string[] = [], names: Record<string, string[]> = {}) {
  const resolve = async (host: string) =>
    names[host]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })) ?? [PUBLIC];
  return createAddressGuard({ allowedPrivateCidrs, resolve });
}

const BLOCKED = { name: 'AddressBlocked', code: 'ADDRESS_BLOCKED' };

describe('a closed guard', () => {
  it.each(HOSTILE_HOSTS)('blocks %j as a host and in a URL', async (host) => {
    const guard = guardWith();
    await expect(guard.checkHost(host, 443)).rejects.toMatchObject(BLOCKED);
    const inUrl = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
    await expect(guard.checkUrl(`https://${inUrl}/hook`, { schemes: ['https'] })).rejects.toMatchObject(BLOCKED);
    await expect(guard.checkUrl(`http://${inUrl}:8080`, { schemes: ['http', 'https'] })).rejects.toMatchObject(BLOCKED);
  });

  it.each(INVALID_HOSTS)('does not take %j for a host', async (host) => {
    await expect(guardWith().checkHost(host, 443)).rejects.toMatchObject({ ...BLOCKED, reason: 'INVALID' });
  });

  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost.example.com', 'localhost.example.com'],
    ['internal.example.com', 'internal.example.com'],
    ['my_db.example.com', 'my_db.example.com'],
    ['8.8.8.8', '8.8.8.8'],
    ['134744072', '8.8.8.8'],
    ['172.15.255.255', '172.15.255.255'],
    ['172.32.0.1', '172.32.0.1'],
    ['[2606:4700::1111]', '2606:4700::1111'],
    ['2606:4700::1111', '2606:4700::1111'],
    ['::ffff:8.8.8.8', '::ffff:808:808'],
    ['[64:ff9b::8.8.8.8]', '64:ff9b::808:808'],
  ])('lets %s pass as %s', async (host, normal) => {
    expect(await guardWith().checkHost(host, 443)).toBe(normal);
  });

  it.each([
    ['ftp://example.com/', 'INVALID'],
    ['http://example.com/', 'INVALID'],
    ['javascript:alert(1)', 'INVALID'],
    ['//example.com', 'INVALID'],
    ['example.com', 'INVALID'],
    ['', 'INVALID'],
    ['https://', 'INVALID'],
    ['https://user@example.com/', 'INVALID'],
    ['https://user:pass@example.com/', 'INVALID'],
    ['https://:pass@example.com/', 'INVALID'],
    ['https://example.com/#top', 'INVALID'],
    ['https://example.com/#', 'INVALID'],
    ['https://example.com\\@127.0.0.1/', 'INVALID'],
    ['https:\\\\example.com', 'INVALID'],
    ['https://exam\nple.com/', 'INVALID'],
    [' https://example.com/', 'INVALID'],
    ['https://example.com:99999/', 'INVALID'],
    ['https://127.0.0.1:443@example.com/', 'INVALID'],
    ['https://example.com:22/', 'BLOCKED'],
    ['https://example.com:25/', 'BLOCKED'],
    ['https://example.com:0/', 'BLOCKED'],
    ['https://example.com:1023/', 'BLOCKED'],
    ['https://%31%32%37.0.0.1/', 'BLOCKED'],
    ['https://%6cocalhost/', 'BLOCKED'],
    ['https:127.0.0.1/', 'BLOCKED'],
    ['https:///127.0.0.1/', 'BLOCKED'],
  ])('refuses the URL %j', async (url, reason) => {
    await expect(guardWith().checkUrl(url, { schemes: ['https'] })).rejects.toMatchObject({ ...BLOCKED, reason });
  });

  it.each(HOSTILE_URLS)('refuses the URL %j', async (url) => {
    const guard = guardWith();
    expect(() => guard.readUrl(url, { schemes: ['https'] })).toThrow(AddressBlocked);
    await expect(guard.checkUrl(url, { schemes: ['https'] })).rejects.toMatchObject(BLOCKED);
  });

  it('is tried with more than 200 hostile targets', () => {
    expect(new Set([...HOSTILE_HOSTS, ...INVALID_HOSTS, ...HOSTILE_URLS]).size).toBeGreaterThan(200);
  });

  it('blocks every closed IPv4 address in every notation, and gives every other one its normal form', async () => {
    const closed = fc.constantFrom(...CLOSED_IPV4).chain(([from, to]) => fc.integer({ min: from, max: to }));
    const guard = guardWith();
    await fc.assert(
      fc.asyncProperty(closed, fc.constantFrom(...NOTATIONS), async (address, write) => {
        await expect(guard.checkHost(write(address), 443), write(address)).rejects.toMatchObject(BLOCKED);
      }),
      { numRuns: cases(500, 5000) },
    );
    const open = fc
      .integer({ min: 0, max: 0xffff_ffff })
      .filter((address) => !CLOSED_IPV4.some(([from, to]) => address >= from && address <= to));
    await fc.assert(
      fc.asyncProperty(open, fc.constantFrom(...IPV4_NOTATIONS), async (address, write) => {
        expect(await guard.checkHost(write(address), 443), write(address)).toBe(dotted(address));
      }),
      { numRuns: cases(500, 5000) },
    );
  });

  it('gives back the URL to dial', async () => {
    const check = (url: string) => guardWith().checkUrl(url, { schemes: ['http', 'https'] });
    expect(String(await check('HTTPS://Example.COM.:8443/a?b=%20'))).toBe('https://example.com:8443/a?b=%20');
    expect(String(await check('http://[2606:4700::0:1111]/'))).toBe('http://[2606:4700::1111]/');
    expect(String(await check('https://example.com:443'))).toBe('https://example.com/');
  });

  it('blocks a name when one of its addresses is bad, without revealing the address', async () => {
    const guard = guardWith([], {
      'rebind.example': ['93.184.216.34', '10.1.2.3'],
      'six.example': ['2606:4700::1111', '::ffff:10.1.2.3'],
      'zone.example': ['fe80::1%eth0'],
    });
    for (const host of ['rebind.example', 'six.example', 'zone.example', 'rebind.example.']) {
      const error = await guard.checkHost(host, 443).catch((caught) => caught);
      expect(error).toMatchObject({ ...BLOCKED, reason: 'BLOCKED' });
      expect(error.message).not.toContain('10.1');
    }
  });

  it('blocks a name with one closed address among its answers, in any notation and place, when saved and when dialled', async () => {
    const closed = fc.constantFrom(...CLOSED_IPV4).chain(([from, to]) => fc.integer({ min: from, max: to }));
    const written = fc
      .tuple(closed, fc.constantFrom(...NOTATIONS))
      .map(([address, write]) => write(address))
      .filter((text) => isIP(text) !== 0);
    await fc.assert(
      fc.asyncProperty(written, fc.nat(4), fc.nat(4), async (bad, before, after) => {
        const answers = [
          ...Array<string>(before).fill('93.184.216.34'),
          bad,
          ...Array<string>(after).fill('2606:4700::1111'),
        ];
        const guard = guardWith([], { 'mixed.example': answers });
        await expect(guard.checkHost('mixed.example', 443), bad).rejects.toMatchObject(BLOCKED);
        const dialled = new Promise((resolve) => guard.lookup(443)('mixed.example', { all: true }, resolve));
        expect(await dialled, bad).toMatchObject(BLOCKED);
      }),
      { numRuns: cases(200, 2000) },
    );
  });

  it('lets a name pass that cannot be resolved now', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    expect(await createAddressGuard({ allowedPrivateCidrs: [], resolve }).checkHost('later.example', 443)).toBe(
      'later.example',
    );
  });
});

describe('ranges opened by the operator', () => {
  it.each([
    [
      ['10.0.0.0/8'],
      ['10.1.2.3', '::ffff:10.1.2.3', '167772161'],
      ['192.168.0.1', '172.16.0.1', '127.0.0.1', '169.254.169.254'],
    ],
    [['192.168.7.0/24'], ['192.168.7.9'], ['192.168.8.1']],
    [['fd12::/16'], ['fd12::1'], ['fd13::1', '::1']],
    [['127.0.0.0/8'], ['127.0.0.1', 'localhost', '2130706433', '::ffff:127.0.0.1'], ['::1', '10.0.0.1', '0.0.0.0']],
    [['127.0.0.1/32'], ['127.0.0.1'], ['127.0.0.2']],
    [['::1/128'], ['::1'], ['127.0.0.1']],
    [['::/0'], ['fd12::1'], ['10.0.0.1', '127.0.0.1', '::ffff:10.0.0.1', '::1', '169.254.169.254']],
    [['0.0.0.0/0'], ['10.0.0.1', '::ffff:10.0.0.1'], ['fd12::1', '127.0.0.1', '168.63.129.16']],
    [['10.1.0.0/16'], ['10.1.255.255', '64:ff9b::10.1.0.1'], ['10.2.0.0', '64:ff9b::10.2.0.1', '2002:a02:1::1']],
    [
      ['127.0.0.1/32', '::1/128'],
      ['localhost', 'ip6-localhost', 'a.localhost'],
      ['127.0.0.2', '0.0.0.0', '[::]'],
    ],
    [
      ['0.0.0.0/0', '::/0'],
      ['10.0.0.1', '192.168.0.1', 'fd12::1'],
      [
        '127.0.0.1',
        '::1',
        'localhost',
        '169.254.169.254',
        '100.100.100.200',
        'fd00:ec2::254',
        'fe80::1',
        '224.0.0.1',
        '0.0.0.0',
        '::',
        '::ffff:169.254.169.254',
      ],
    ],
    [
      ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128'],
      [],
      ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fd00:ec2::254', 'metadata.google.internal'],
    ],
  ])('%j', async (cidrs, open, closed) => {
    const guard = guardWith(cidrs, { localhost: ['127.0.0.1'] });
    for (const host of open) await expect(guard.checkHost(host, 443), host).resolves.toBeTypeOf('string');
    for (const host of closed) await expect(guard.checkHost(host, 443), host).rejects.toMatchObject(BLOCKED);
  });

  it('must be ranges', () => {
    for (const cidr of ['10.0.0.0', '10.0.0.0/33', 'localhost/8', '/8', '10.0.0.0/x']) {
      expect(() => guardWith([cidr]), cidr).toThrow();
    }
  });
});

describe('the lookup of a socket', () => {
  async function listen() {
    const server = createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  it('dials the address that passed', async () => {
    const port = await listen();
    const guard = guardWith(['127.0.0.0/8'], { 'hook.example': ['127.0.0.1'] });
    const [response] = await once(
      get({ host: 'hook.example', port, lookup: guard.lookup(port), agent: false }),
      'response',
    );
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  it.each([['hook.example'], ['localhost'], ['mixed.example']])(
    'refuses %s at the moment of dialling',
    async (host) => {
      const port = await listen();
      const guard = guardWith([], { 'hook.example': ['127.0.0.1'], 'mixed.example': ['93.184.216.34', '127.0.0.1'] });
      const [error] = await once(get({ host, port, lookup: guard.lookup(port), agent: false }), 'error').catch(
        (caught) => [caught],
      );
      expect(error).toBeInstanceOf(AddressBlocked);
    },
  );

  it('serves both ways of asking, and a family', async () => {
    const guard = guardWith([], {
      'two.example': ['93.184.216.34', '2606:4700::1111'],
      'six.example': ['2606:4700::1111'],
    });
    const ask = (host: string, options: object) =>
      new Promise((resolve) => guard.lookup(443)(host, options, (error, ...answer) => resolve(error ?? answer)));
    expect(await ask('two.example', { all: true })).toEqual([[PUBLIC, { address: '2606:4700::1111', family: 6 }]]);
    expect(await ask('two.example', {})).toEqual(['93.184.216.34', 4]);
    expect(await ask('two.example', { family: 6 })).toEqual(['2606:4700::1111', 6]);
    expect(await ask('six.example', { family: 4 })).toMatchObject({ code: 'ENOTFOUND' });
  });

  it('reports a resolver that fails', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('down'), { code: 'EAI_AGAIN' }));
    const lookup = createAddressGuard({ allowedPrivateCidrs: [], resolve }).lookup(80);
    const [error] = await once(connect({ host: 'a.example', port: 80, lookup }), 'error').catch((caught) => [caught]);
    expect(error).toMatchObject({ code: 'EAI_AGAIN' });
  });
});

describe('the platform itself', () => {
  const names = {
    'own.example': ['127.0.0.1'],
    'other.example': ['93.184.216.34'],
    'mixed.example': ['93.184.216.34', '::1'],
  };
  const guard = createAddressGuard({
    allowedPrivateCidrs: ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12'],
    ownEndpoint: 'http://127.0.0.1:3000',
    resolve: async (host) =>
      (names[host as keyof typeof names] ?? []).map((address) => ({ address, family: isIP(address) })),
  });
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family }) => family === 'IPv4');

  it('is closed at its port, in every spelling and under every name, even where this machine is open', async () => {
    const addresses = [
      '127.0.0.1',
      '127.1.2.3',
      '0x7f000001',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
    ];
    const hosts = [
      ...addresses,
      'localhost.',
      'api.localhost',
      'own.example',
      'mixed.example',
      ...own.flatMap(({ address }) => [address, `[::ffff:${address}]`, `[64:ff9b::${address}]`]),
    ];
    for (const host of hosts) {
      const dialled = guard.checkUrl(`http://${host}:3000/api/x`, { schemes: ['http'] });
      await expect(dialled, host).rejects.toMatchObject(BLOCKED);
      await expect(guard.checkHost(host, 3000), host).rejects.toMatchObject(BLOCKED);
    }
  });

  it('leaves its other ports and other machines open', async () => {
    for (const url of [
      'http://127.0.0.1:3001/',
      'http://localhost/',
      'http://own.example:8080/',
      'http://other.example:3000/',
      'http://10.1.2.3:3000/',
    ]) {
      await expect(guard.checkUrl(url, { schemes: ['http'] }), url).resolves.toBeInstanceOf(URL);
    }
    expect(await guard.checkHost('other.example', 3000)).toBe('other.example');
  });

  it('is closed when a name leads to it only at the dial', async () => {
    const dialled = (port: number) =>
      new Promise((resolve) => guard.lookup(port)('own.example', { all: true }, resolve));
    expect(await dialled(3000)).toMatchObject(BLOCKED);
    expect(await dialled(3001)).toBeNull();
  });

  it('has the default port of its scheme where the endpoint names none', async () => {
    const onDefault = createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'], ownEndpoint: 'http://127.0.0.1' });
    await expect(onDefault.checkUrl('http://127.0.0.1/', { schemes: ['http'] })).rejects.toMatchObject(BLOCKED);
    await expect(onDefault.checkUrl('http://127.0.0.1:3000/', { schemes: ['http'] })).resolves.toBeInstanceOf(URL);
  });
});

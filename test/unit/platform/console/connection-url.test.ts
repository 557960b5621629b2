import { describe, expect, it } from 'vitest';
import { parseConnectionUrl } from '../../../../functions/platform/console/site/data/connection-url.ts';

describe('the address of a source', () => {
  it('of Postgres has everything to connect', () => {
    expect(parseConnectionUrl(' postgres://ada:p%40ss@db.example.com/shop?sslmode=require ')).toEqual({
      type: 'postgres',
      name: 'shop on db.example.com',
      config: { host: 'db.example.com', port: 5432, database: 'shop', user: 'ada', ssl: true },
      secrets: { password: 'p@ss' },
    });
    expect(parseConnectionUrl('postgresql://ada@127.0.0.1:443/shop?sslmode=disable')).toMatchObject({
      config: { host: '127.0.0.1', port: 443, ssl: false },
      secrets: { password: '' },
    });
    expect(parseConnectionUrl('jdbc:postgresql://h:6543/d?user=u&password=s')).toMatchObject({
      config: { port: 6543, user: 'u' },
      secrets: { password: 's' },
    });
  });

  it('of MySQL, a bucket and a service are known too', () => {
    expect(parseConnectionUrl('mariadb://u:p@h/d')).toMatchObject({ type: 'mysql', config: { port: 3306 } });
    expect(parseConnectionUrl('s3://acme-exports/daily/2026/?region=eu-central-1')).toEqual({
      type: 's3',
      name: 'acme-exports',
      config: { bucket: 'acme-exports', prefix: 'daily/2026/', region: 'eu-central-1' },
      secrets: {},
    });
    expect(parseConnectionUrl('https://me:key@api.example.com/v2/invoices?limit=5')).toEqual({
      type: 'http',
      name: 'api.example.com',
      config: {
        baseUrl: 'https://api.example.com/v2',
        auth: 'basic',
        user: 'me',
        endpoints: [{ name: 'invoices', path: '/invoices?limit=5', format: 'json' }],
      },
      secrets: { credential: 'key' },
    });
  });

  it('is nothing else', () => {
    for (const text of ['', 'shop', 'ftp://h/d', 'postgres:', 'javascript://alert(1)', 'postgres://'])
      expect(parseConnectionUrl(text), text).toBeUndefined();
  });
});

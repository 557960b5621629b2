/** What an address of a database, a bucket or a service says about how to connect. */
export interface Connection {
  type: 'postgres' | 'mysql' | 's3' | 'http';
  name: string;
  config: Record<string, unknown>;
  secrets: Record<string, unknown>;
}

const TYPES: Readonly<Record<string, Connection['type']>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
  's3:': 's3',
  'https:': 'http',
  'http:': 'http',
};

/** Undefined if the text is no such address. */
export function parseConnectionUrl(text: string): Connection | undefined {
  const trimmed = text.trim().replace(/^jdbc:/i, '');
  const scheme = /^([a-z\d]+:)\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  const type = scheme === undefined ? undefined : TYPES[scheme];
  if (type === undefined) return undefined;
  // Browsers only take addresses apart whose scheme they know.
  const url = URL.parse(trimmed.replace(/^[a-z\d]+:/i, type === 'http' ? scheme! : 'https:'));
  if (!url) return undefined;
  if (type === 's3') return bucketOf(url);
  return type === 'http' ? serviceOf(url) : databaseOf(type, url, trimmed);
}

const MAX_NAME = 200;

function databaseOf(type: 'postgres' | 'mysql', url: URL, text: string): Connection {
  const query = url.searchParams;
  const database = decoded(url.pathname.slice(1));
  const user = decoded(url.username) || query.get('user') || '';
  const password = decoded(url.password) || query.get('password') || '';
  const port = Number(portOf(text) || (type === 'postgres' ? 5432 : 3306));
  const mode = (query.get('sslmode') ?? query.get('ssl-mode') ?? query.get('ssl') ?? '').toLowerCase();
  return {
    type,
    name: (database ? `${database} on ${url.hostname}` : url.hostname).slice(0, MAX_NAME),
    config: {
      host: url.hostname,
      port,
      database,
      user,
      ssl: !['disable', 'disabled', 'allow', 'prefer', 'preferred', 'false'].includes(mode),
    },
    secrets: { password },
  };
}

/** From the text: in an address of `https`, browsers leave out the port 443. */
const portOf = (text: string): string =>
  /^[a-z\d]+:\/\/(?:[^@/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*):(\d+)/i.exec(text)?.[1] ?? '';

const bucketOf = (url: URL): Connection => ({
  type: 's3',
  name: url.hostname,
  config: {
    bucket: url.hostname,
    ...(url.pathname.length > 1 && { prefix: decoded(url.pathname.slice(1)) }),
    region: url.searchParams.get('region') ?? '',
  },
  secrets: {
    ...(url.username && { accessKeyId: decoded(url.username) }),
    ...(url.password && { secretAccessKey: decoded(url.password) }),
  },
});

/** The last part of the path is the first endpoint. */
function serviceOf(url: URL): Connection {
  const segments = url.pathname.split('/').filter(Boolean);
  const last = segments.pop();
  const isBasic = url.username !== '';
  return {
    type: 'http',
    name: url.hostname,
    config: {
      baseUrl: `${url.origin}${segments.length > 0 ? `/${segments.join('/')}` : ''}`,
      auth: isBasic ? 'basic' : 'none',
      ...(isBasic && { user: decoded(url.username) }),
      endpoints: [{ name: (last ?? 'all').slice(0, 63), path: `/${last ?? ''}${url.search}`, format: 'json' }],
    },
    secrets: { ...(isBasic && { credential: decoded(url.password) }) },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

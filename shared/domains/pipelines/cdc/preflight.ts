import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { partsOf } from './record.ts';
import { ambiguousColumns, reservedColumn } from './shape-compatibility.ts';

/** The first version with logical messages in pgoutput and with publications through partition roots. */
const OLDEST_VERSION = 140_000;

export interface StreamRequest {
  /** Qualified with their schemas. */
  tables: readonly string[];
  /** The name of the slot and of the publication. */
  slotName: string;
  /** Whether the stream has its slot already. */
  hasSlot?: boolean;
}

/** Everything that the source lacks for a stream, each with the SQL that fixes it. */
export async function preflightIssues(source: PostgresSource, wanted: StreamRequest): Promise<Issue[]> {
  const server = await serverFacts(source, wanted.slotName);
  const tables = await tableFacts(source, wanted.tables);
  return [
    ...serverIssues(server, wanted.hasSlot ?? false),
    ...wanted.tables.flatMap((name, index) => tableIssues(name, tables.get(name), server.role, `/tables/${index}`)),
    ...publicationIssues(server, tables, wanted),
  ];
}

interface ServerFacts {
  version: number;
  walLevel: string;
  role: string;
  mayReplicate: boolean;
  freeSlots: number;
  mayCreate: boolean;
  database: string;
  /** Tables of the publication; undefined when there is none. */
  published: string[] | undefined;
  ownsPublication: boolean;
  /** Whether the publication contains changes of every kind. */
  publishesAll: boolean;
  /** Tables of which it contains only some rows or columns. */
  publishedInPart: string[];
}

async function serverFacts(source: PostgresSource, publication: string): Promise<ServerFacts> {
  const { rows } = await source.query(
    `SELECT current_setting('server_version_num'), current_setting('wal_level'), current_user,
       (SELECT rolsuper OR rolreplication FROM pg_catalog.pg_roles WHERE rolname = current_user)
         OR EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = 'rds_replication' AND pg_has_role(current_user, oid, 'MEMBER')),
       current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_catalog.pg_replication_slots),
       has_database_privilege(current_database(), 'CREATE'), current_database(),
       (SELECT pg_has_role(current_user, pubowner, 'USAGE') FROM pg_catalog.pg_publication WHERE pubname = $1),
       (SELECT pubinsert AND pubupdate AND pubdelete AND pubtruncate FROM pg_catalog.pg_publication WHERE pubname = $1)`,
    [publication],
  );
  const [version, walLevel, role, mayReplicate, freeSlots, mayCreate, database, ownsPublication, publishesAll] =
    rows[0]!;
  return {
    version: Number(version),
    walLevel: String(walLevel),
    role: String(role),
    mayReplicate: mayReplicate === 't',
    freeSlots: Number(freeSlots),
    mayCreate: mayCreate === 't',
    database: String(database),
    published: ownsPublication === null ? undefined : await publishedTables(source, publication),
    ownsPublication: ownsPublication === 't',
    publishesAll: publishesAll === 't',
    publishedInPart: ownsPublication === null ? [] : await publishedInPart(source, publication),
  };
}

async function publishedInPart(source: PostgresSource, publication: string): Promise<string[]> {
  // Servers before Postgres 15 have neither filters nor lists of columns, nor these two columns.
  const { rows } = await source.query(
    `SELECT n.nspname || '.' || c.relname
     FROM pg_catalog.pg_publication p JOIN pg_catalog.pg_publication_rel r ON r.prpubid = p.oid
     JOIN pg_catalog.pg_class c ON c.oid = r.prrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE p.pubname = $1 AND (to_jsonb(r) ->> 'prqual' IS NOT NULL OR to_jsonb(r) ->> 'prattrs' IS NOT NULL)`,
    [publication],
  );
  return rows.map(([name]) => String(name));
}

export async function publishedTables(source: PostgresSource, publication: string): Promise<string[]> {
  const { rows } = await source.query(
    'SELECT schemaname, tablename FROM pg_catalog.pg_publication_tables WHERE pubname = $1 ORDER BY 1, 2',
    [publication],
  );
  return rows.map(([schema, table]) => `${schema}.${table}`);
}

interface TableFacts {
  kind: string;
  persistence: string;
  mayRead: boolean;
  isOwner: boolean;
  /** Whether updates and deletes identify their row. */
  hasIdentity: boolean;
  /**
   * Its identity includes generated columns, which publications omit: the server would reject every update of the
   * table.
   */
  hasGeneratedIdentity: boolean;
  /** Whether tables inherit from it: it contains their rows, but its log does not contain their changes. */
  hasChildren: boolean;
  columns: string[];
}

async function tableFacts(source: PostgresSource, names: readonly string[]): Promise<Map<string, TableFacts>> {
  const parts = names.map(partsOf);
  const { rows } = await source.query(
    `SELECT n.nspname || '.' || c.relname, c.relkind, c.relpersistence, has_table_privilege(c.oid, 'SELECT'),
       pg_has_role(current_user, c.relowner, 'USAGE'),
       c.relreplident IN ('f', 'i') OR c.relreplident = 'd'
         AND EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisprimary),
       c.relreplident = 'f' AND EXISTS (
         SELECT 1 FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated <> ''),
       c.relkind = 'r' AND EXISTS (SELECT 1 FROM pg_catalog.pg_inherits WHERE inhparent = c.oid),
       (SELECT coalesce(json_agg(a.attname ORDER BY a.attnum), '[]') FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     JOIN unnest($1::text[], $2::text[]) AS wanted(schema, name) ON wanted.schema = n.nspname AND wanted.name = c.relname`,
    [parts.map(({ schema }) => schema), parts.map(({ table }) => table)],
  );
  return new Map(
    rows.map(([name, kind, persistence, mayRead, isOwner, hasIdentity, hasGeneratedIdentity, hasChildren, columns]) => [
      String(name),
      {
        kind: String(kind),
        persistence: String(persistence),
        mayRead: mayRead === 't',
        isOwner: isOwner === 't',
        hasIdentity: hasIdentity === 't',
        hasGeneratedIdentity: hasGeneratedIdentity === 't',
        hasChildren: hasChildren === 't',
        columns: JSON.parse(String(columns)) as string[],
      },
    ]),
  );
}

function serverIssues(server: ServerFacts, hasSlot: boolean): Issue[] {
  const issues: Issue[] = [];
  const add = (code: string, message: string) => issues.push({ pointer: '/sourceId', code, message });
  if (server.version < OLDEST_VERSION) add('SERVER_TOO_OLD', 'the server must be Postgres 14 or newer');
  if (server.walLevel !== 'logical') {
    const sql = "ALTER SYSTEM SET wal_level = 'logical';";
    add('WAL_LEVEL', `wal_level must be logical; run ${sql} and restart the server`);
  }
  if (!server.mayReplicate) {
    add(
      'NO_REPLICATION_RIGHT',
      `the role lacks the right to replicate; run ALTER ROLE ${quoteIdentifier(server.role)} REPLICATION;`,
    );
  }
  if (!hasSlot && server.freeSlots < 1) {
    const sql = 'ALTER SYSTEM SET max_replication_slots = 20;';
    add('NO_FREE_SLOT', `all replication slots are in use; drop one, or run ${sql} and restart the server`);
  }
  return issues;
}

function tableIssues(name: string, table: TableFacts | undefined, role: string, pointer: string): Issue[] {
  if (!table) return [{ pointer, code: 'TABLE_NOT_FOUND', message: `the table ${name} does not exist` }];
  if (table.kind !== 'r' && table.kind !== 'p') {
    return [{ pointer, code: 'NOT_A_TABLE', message: `${name} is not a table; a stream can follow only tables` }];
  }
  const issues: Issue[] = [];
  const add = (code: string, message: string) => issues.push({ pointer, code, message });
  if (table.persistence !== 'p') {
    add('TABLE_NOT_LOGGED', `${name} is not logged; run ALTER TABLE ${quoted(name)} SET LOGGED;`);
  }
  if (!table.mayRead) {
    add(
      'NO_SELECT_RIGHT',
      `the role lacks the right to read ${name}; run GRANT SELECT ON ${quoted(name)} TO ${quoteIdentifier(role)};`,
    );
  }
  if (!table.hasIdentity) {
    const sql = `ALTER TABLE ${quoted(name)} REPLICA IDENTITY FULL;`;
    add('NO_REPLICA_IDENTITY', `${name} has no primary key; add one, or run ${sql}`);
  }
  if (table.hasGeneratedIdentity) {
    const sql = `ALTER TABLE ${quoted(name)} REPLICA IDENTITY DEFAULT;`;
    add('GENERATED_IDENTITY', `the identity of ${name} includes generated columns; add a primary key and run ${sql}`);
  }
  if (table.hasChildren) {
    add(
      'HAS_HEIRS',
      `other tables inherit from ${name}, and the stream would miss their changes; follow those tables instead`,
    );
  }
  const taken = reservedColumn(table.columns);
  if (taken !== undefined) {
    const sql = `ALTER TABLE ${quoted(name)} RENAME COLUMN ${quoteIdentifier(taken)} TO …;`;
    add('COLUMN_TAKEN', `the stream adds a column ${quoteIdentifier(taken)} to the rows of ${name}; run ${sql}`);
  }
  const alike = ambiguousColumns(table.columns);
  if (alike) {
    const [one, other] = alike.map(quoteIdentifier);
    const sql = `ALTER TABLE ${quoted(name)} RENAME COLUMN ${other} TO …;`;
    add('COLUMNS_ALIKE', `the columns ${one} and ${other} of ${name} differ only in case; run ${sql}`);
  }
  return issues;
}

/** Reports missing rights to publish, unless a publication for the stream exists already. */
function publicationIssues(
  server: ServerFacts,
  tables: ReadonlyMap<string, TableFacts>,
  wanted: StreamRequest,
): Issue[] {
  const found = wanted.tables.filter((name) => tables.get(name));
  const incomplete = incompletePublication(server, wanted);
  if (incomplete) return [incomplete];
  if (server.published && found.every((name) => server.published!.includes(name))) return [];
  const mayMake = server.published ? server.ownsPublication : server.mayCreate;
  if (mayMake && found.every((name) => tables.get(name)!.isOwner)) return [];
  const sql = createPublicationSql(wanted.slotName, wanted.tables);
  return [
    {
      pointer: '/sourceId',
      code: 'NO_PUBLICATION_RIGHT',
      message: `the role lacks the right to publish these tables; as their owner run ${sql}`,
    },
  ];
}

/** Reports a publication that leaves out changes, because the stream could never recover them. */
function incompletePublication(
  { published, publishesAll, publishedInPart }: ServerFacts,
  wanted: StreamRequest,
): Issue | undefined {
  if (!published) return undefined;
  const [inPart] = wanted.tables.filter((name) => publishedInPart.includes(name));
  if (publishesAll && inPart === undefined) return undefined;
  const what = publishesAll ? `some rows or columns of ${inPart}` : 'changes of some kinds';
  const sql = `DROP PUBLICATION ${quoteIdentifier(wanted.slotName)}; ${createPublicationSql(wanted.slotName, wanted.tables)}`;
  return {
    pointer: '/sourceId',
    code: 'PUBLICATION_INCOMPLETE',
    message: `the publication leaves out ${what}; as its owner run ${sql}`,
  };
}

export function createPublicationSql(publication: string, tables: readonly string[]): string {
  return `CREATE PUBLICATION ${quoteIdentifier(publication)} FOR TABLE ${tables.map(quoted).join(', ')} WITH (publish_via_partition_root = true);`;
}

/** The name of a table for SQL. */
export function quoted(name: string): string {
  const { schema, table } = partsOf(name);
  return `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
}

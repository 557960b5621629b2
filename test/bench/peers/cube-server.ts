import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Cube over a native DuckDB file, in a process of its own that prints its address.
 *
 * Arguments: the folder with the packages (see `cube.ts`), and the file.
 *
 * Cube's SQL interface and its driver for DuckDB are left out, because npm does not carry the binaries that they need.
 * The driver here runs the same statements with `@duckdb/node-api`.
 */
const [folder, file] = process.argv.slice(2);
const from = createRequire(join(folder!, 'package.json'));
const { CubejsServerCore } = from('@cubejs-backend/server-core');
const { CompilerApi } = from('@cubejs-backend/server-core/dist/src/core/CompilerApi');
const { OptsHandler } = from('@cubejs-backend/server-core/dist/src/core/OptsHandler');
const { ApiGateway } = from('@cubejs-backend/api-gateway');
const { PostgresQuery } = from('@cubejs-backend/schema-compiler');
const { BaseDriver } = from('@cubejs-backend/base-driver');
const { DuckDBInstance } = from('@duckdb/node-api');
const express = from('express');

const MODEL = `
cube('orders', {
  sql_table: 'orders',
  refresh_key: { every: '1 hour' },
  joins: { buyers: { relationship: 'many_to_one', sql: \`\${CUBE.customer} = \${buyers.id}\` } },
  measures: { amount: { sql: 'amount', type: 'sum' }, customers: { sql: 'customer', type: 'count_distinct' } },
  dimensions: {
    id: { sql: 'id', type: 'number', primary_key: true, public: true },
    customer: { sql: 'customer', type: 'number' },
    product: { sql: 'product', type: 'number' },
    amounts: { sql: 'amount', type: 'number' },
    region: { sql: 'region', type: 'string' },
    status: { sql: 'status', type: 'string' },
    day: { sql: 'day', type: 'time' },
  },
});
cube('buyers', {
  sql_table: 'order_buyers',
  refresh_key: { every: '1 hour' },
  dimensions: {
    id: { sql: 'id', type: 'number', primary_key: true, public: true },
    segment: { sql: 'segment', type: 'string' },
  },
});
`;

const database = DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });

class Dialect extends PostgresQuery {
  convertTz(field: string): string {
    return `timezone('${(this as unknown as { timezone: string }).timezone}', ${field}::timestamptz)`;
  }
}

class Driver extends BaseDriver {
  static dialectClass() {
    return Dialect;
  }

  async query(sql: string, values: unknown[]): Promise<unknown[]> {
    const connection = await (await database).connect();
    try {
      return (await connection.runAndReadAll(sql, values)).getRowObjectsJson();
    } finally {
      connection.closeSync();
    }
  }

  async testConnection(): Promise<void> {}

  async release(): Promise<void> {}

  readOnly(): boolean {
    return true;
  }
}

// Neither is needed by models in JavaScript and questions over HTTP.
CompilerApi.prototype.createNativeInstance = () => ({ newJinjaEngine: () => ({}) });
/** As many statements at once as a driver without an opinion has. */
OptsHandler.prototype.getDriverConcurrency = async () => undefined;
ApiGateway.prototype.createSQLServerInstance = () => ({});

const app = express();
const core = new CubejsServerCore({
  apiSecret: 'of a benchmark',
  devServer: false,
  telemetry: false,
  dbType: 'duckdb',
  driverFactory: () => new Driver(),
  dialectFactory: () => Dialect,
  cacheAndQueueDriver: 'memory',
  scheduledRefreshTimer: false,
  checkAuth: () => {},
  repositoryFactory: () => ({
    localPath: () => '',
    dataSchemaFiles: async () => [{ fileName: 'orders.js', content: MODEL }],
  }),
  logger: (message: string, { error }: { error?: unknown }) => {
    if (error) console.error(message, error);
  },
});
await core.initApp(app);
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

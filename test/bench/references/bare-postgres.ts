import { Client } from 'pg';

/**
 * A statement by bare pg on one connection. Arguments: the connection, the statement, how often. Prints the
 * milliseconds of each.
 */
const [connection = '', statement = '', times = '1'] = process.argv.slice(2);

const client = new Client(JSON.parse(connection));
await client.connect();
const ms: number[] = [];
for (let index = 0; index < Number(times); index += 1) {
  const startedAt = performance.now();
  const { rows } = await client.query({ text: statement, values: [], rowMode: 'array' });
  JSON.stringify(rows);
  ms.push(performance.now() - startedAt);
}
await client.end();
console.log(JSON.stringify(ms));

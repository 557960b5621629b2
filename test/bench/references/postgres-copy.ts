import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from, to } from 'pg-copy-streams';

/**
 * COPY between a table and a CSV file, by a process that does nothing else. Arguments: `out` or `in`, the connection as
 * JSON, the statement, the file. Prints the milliseconds from connecting to the end, and the peak of memory.
 */
const [direction, connection = '', statement = '', file = ''] = process.argv.slice(2);

const startedAt = performance.now();
const client = new Client(JSON.parse(connection));
await client.connect();
if (direction === 'out') await pipeline(client.query(to(statement)), createWriteStream(file));
else await pipeline(createReadStream(file), client.query(from(statement)));
await client.end();
const ms = performance.now() - startedAt;
console.log(JSON.stringify({ ms, peakMb: process.resourceUsage().maxRSS / 1024 }));

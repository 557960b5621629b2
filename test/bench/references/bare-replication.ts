import { LogicalReplicationService, PgoutputPlugin } from 'pg-logical-replication';

/**
 * Reads a slot by the protocol with a bare library, which decodes and throws away. Arguments: the connection, the slot,
 * which is the publication too, and how many rows to wait for. Prints the milliseconds from the first request to the
 * last row.
 */
const [connection = '', slot = '', count = '0'] = process.argv.slice(2);

const service = new LogicalReplicationService(JSON.parse(connection), {
  acknowledge: { auto: false, timeoutSeconds: 0 },
});
let left = Number(count);
const startedAt = performance.now();
await new Promise<void>((resolve, reject) => {
  service.on('data', (_lsn, { tag }: { tag: string }) => {
    if (tag !== 'insert') return;
    left -= 1;
    if (left === 0) resolve();
  });
  service.subscribe(new PgoutputPlugin({ protoVersion: 1, publicationNames: [slot] }), slot).catch(reject);
});
console.log(JSON.stringify(performance.now() - startedAt));
process.exit(0);

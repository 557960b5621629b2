import type { Client } from 'pg';
import { guardedSocket } from '../../data/connectors/connection/guarded-socket.ts';
import { withoutSecrets } from '../../data/connectors/connection/reported-secrets.ts';
import type { PostgresTarget } from '../../data/connectors/postgres/connection.ts';
import { toSourceError } from '../../data/connectors/postgres/errors.ts';
import { DataError } from '../../platform/errors/data-error.ts';
import type { AddressGuard } from '../../platform/net/address-guard.ts';
import type { ChangeReader } from './change-reader.ts';
import { SESSION } from './connect.ts';
import { PLUGIN_OPTIONS } from './decode-log.ts';
import { LogArrivals } from './log-arrivals.ts';
import type { Lsn } from './lsn.ts';

/** How often the server hears that we are there; it gives up who is silent for a minute. */
const SIGN_OF_LIFE_MS = 10_000;
const NOTHING: Lsn = '00000000/00000000';
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** What is used of pg beyond its types. */
interface ReplicationConnection {
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void;
  once(event: 'replicationStart', listener: () => void): void;
  sendCopyFromChunk(chunk: Buffer): void;
}

/**
 * Has the source send its log as it is written. The server is told of nothing but what was confirmed, also when it asks for a sign of
 * life: what has merely arrived may be lost with us.
 */
export async function streamingReader(
  target: PostgresTarget,
  slotName: string,
  guard: AddressGuard,
): Promise<ChangeReader> {
  const host = await guard.checkHost(target.host);
  const { Client } = await import('../../data/connectors/postgres/postgres-driver.ts');
  const socket = guardedSocket(guard);
  const client = new Client({
    ...target,
    host,
    ssl: target.ssl === false ? false : { rejectUnauthorized: true, ...(target.ssl === true ? {} : target.ssl) },
    stream: () => socket,
    application_name: 'analytics',
    replication: 'database',
    options: Object.entries(SESSION)
      .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
      .join(' '),
  } as ConstructorParameters<typeof Client>[0]);
  const { connection } = client as Client & { connection: ReplicationConnection };
  /** Nothing, until something was confirmed: a server never goes back. */
  let confirmed = NOTHING;
  const tell = (isQuestion = false) => connection.sendCopyFromChunk(statusUpdate(confirmed, isQuestion));
  const arrivals = new LogArrivals({
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    answer: () => tell(),
    ask: () => tell(true),
  });
  const fail = (error: unknown) => arrivals.fail(toSourceError(withoutSecrets(error, [target.password])));
  client.on('error', fail);
  connection.on('copyData', ({ chunk }) => arrivals.take(chunk));
  const started = new Promise<void>((resolve) => connection.once('replicationStart', resolve));
  const ended = client
    .connect()
    .then(() => client.query(startReplication(slotName)))
    .then(() => arrivals.fail(new DataError('CONNECTION_FAILED', 'The server closed the connection.')), fail);
  await Promise.race([started, ended.then(() => arrivals.failed())]);
  const signs = setInterval(() => tell(), SIGN_OF_LIFE_MS);
  return {
    read: () => arrivals.read(),
    async confirm(lsn) {
      confirmed = lsn;
      tell();
    },
    async close() {
      clearInterval(signs);
      // A server that sends does not listen: nobody waits for its farewell.
      socket.destroy();
      arrivals.fail(new DataError('CONNECTION_FAILED', 'The connection was closed.'));
    },
  };
}

function startReplication(slotName: string): string {
  const options = Object.entries({ ...PLUGIN_OPTIONS, publication_names: slotName });
  return `START_REPLICATION SLOT "${slotName}" LOGICAL 0/0 (${options.map(([name, value]) => `${name} '${value}'`).join(', ')})`;
}

/** Written, flushed and applied up to the position; a question has the server say how far it is. */
function statusUpdate(lsn: Lsn, isQuestion: boolean): Buffer {
  const message = Buffer.alloc(34);
  message.write('r');
  const position = Buffer.from(lsn.replace('/', ''), 'hex');
  for (const at of [1, 9, 17]) position.copy(message, at);
  message.writeBigInt64BE(BigInt(Date.now() - POSTGRES_EPOCH_MS) * 1000n, 25);
  message[33] = isQuestion ? 1 : 0;
  return message;
}

import type { Client } from 'pg';
import { guardedSocket } from '../../../data/connectors/connection/guarded-socket.ts';
import { withoutSecrets } from '../../../data/connectors/connection/reported-secrets.ts';
import type { PostgresTarget } from '../../../data/connectors/postgres/connection.ts';
import { toSourceError } from '../../../data/connectors/postgres/errors.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { AddressGuard } from '../../../platform/net/address-guard.ts';
import type { ChangeReader } from './change-reader.ts';
import { SESSION } from './connect.ts';
import { PLUGIN_OPTIONS } from './decode-log.ts';
import type { Lsn } from './lsn.ts';
import { ReplicationFeed } from './replication-feed.ts';

/** How often the reader sends its status; the server drops a client that is silent for a minute. */
const STATUS_INTERVAL_MS = 10_000;
const ZERO: Lsn = '00000000/00000000';
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** Members of pg that its types lack. */
interface ReplicationConnection {
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void;
  once(event: 'replicationStart', listener: () => void): void;
  sendCopyFromChunk(chunk: Buffer): void;
}

/**
 * Streams the log from the source as it is written. Every status, also a requested one, reports only the confirmed
 * position: changes that have merely arrived may be lost in a crash.
 */
export async function streamingReader(
  target: PostgresTarget,
  slotName: string,
  guard: AddressGuard,
): Promise<ChangeReader> {
  const host = await guard.checkHost(target.host, target.port);
  const { Client } = await import('../../../data/connectors/postgres/postgres-driver.ts');
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
  /** Zero until a position is confirmed; the server ignores a position before its own. */
  let confirmed = ZERO;
  const sendStatus = (isRequest = false) => connection.sendCopyFromChunk(statusUpdate(confirmed, isRequest));
  const feed = new ReplicationFeed({
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    sendStatus: () => sendStatus(),
    requestPosition: () => sendStatus(true),
  });
  const fail = (error: unknown) => feed.fail(toSourceError(withoutSecrets(error, [target.password])));
  client.on('error', fail);
  connection.on('copyData', ({ chunk }) => feed.receive(chunk));
  const started = new Promise<void>((resolve) => connection.once('replicationStart', resolve));
  const ended = client
    .connect()
    .then(() => client.query(startReplication(slotName)))
    .then(() => feed.fail(new DataError('CONNECTION_FAILED', 'The server closed the connection.')), fail);
  await Promise.race([started, ended.then(() => feed.throwIfFailed())]);
  const statusTimer = setInterval(() => sendStatus(), STATUS_INTERVAL_MS);
  return {
    read: () => feed.read(),
    async confirm(lsn) {
      confirmed = lsn;
      sendStatus();
    },
    async close() {
      clearInterval(statusTimer);
      // A sending server does not read, so a clean shutdown could hang.
      socket.destroy();
      feed.fail(new DataError('CONNECTION_FAILED', 'The connection was closed.'));
    },
  };
}

function startReplication(slotName: string): string {
  const options = Object.entries({ ...PLUGIN_OPTIONS, publication_names: slotName });
  return `START_REPLICATION SLOT "${slotName}" LOGICAL 0/0 (${options.map(([name, value]) => `${name} '${value}'`).join(', ')})`;
}

/** Reports the position as written, flushed and applied; `isRequest` asks the server for its own position. */
function statusUpdate(lsn: Lsn, isRequest: boolean): Buffer {
  const message = Buffer.alloc(34);
  message.write('r');
  const position = Buffer.from(lsn.replace('/', ''), 'hex');
  for (const at of [1, 9, 17]) position.copy(message, at);
  message.writeBigInt64BE(BigInt(Date.now() - POSTGRES_EPOCH_MS) * 1000n, 25);
  message[33] = isRequest ? 1 : 0;
  return message;
}

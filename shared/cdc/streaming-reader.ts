import { LogicalReplicationService, type Pgoutput } from 'pg-logical-replication';
import { EngineError } from '../engine/engine-error.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import { guardedSocket } from '../sources/guarded-socket.ts';
import type { PostgresTarget } from '../sources/postgres-connection.ts';
import { toSourceError } from '../sources/postgres-errors.ts';
import { withoutSecrets } from '../sources/told-secrets.ts';
import type { ChangeReader, LogEvent } from './change-reader.ts';
import { SESSION } from './connect.ts';
import { LogDecoder, TextPlugin } from './decode-log.ts';
import { before, type Lsn, lsnOf } from './lsn.ts';

/** When nothing came for so long, what is there is all there is. */
const QUIET_MS = 200;
const NOTHING: Lsn = '00000000/00000000';
/** The server is stopped while more waits than this, and goes on below. */
const MOST_WAITING = 10_000;

/**
 * Has the source send its log as it is written. The library would acknowledge what has merely arrived; here nothing is but what was
 * confirmed, also when the server asks for a sign of life.
 */
export async function streamingReader(
  target: PostgresTarget,
  slotName: string,
  guard: AddressGuard,
): Promise<ChangeReader> {
  const host = await guard.checkHost(target.host);
  const socket = guardedSocket(guard);
  const service = new LogicalReplicationService(
    {
      ...target,
      host,
      ssl: target.ssl === false ? false : { rejectUnauthorized: true, ...(target.ssl === true ? {} : target.ssl) },
      stream: () => socket,
      application_name: 'analytics',
      options: Object.entries(SESSION)
        .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
        .join(' '),
    },
    { acknowledge: { auto: false, timeoutSeconds: 0 }, flowControl: { enabled: true } },
  );
  const arrivals = new Arrivals(service);
  const plugin = new TextPlugin([slotName]);
  const started = new Promise<void>((resolve) => service.once('start', resolve));
  const ended = service.subscribe(plugin, slotName).then(
    () => arrivals.fail(new EngineError('CONNECTION_FAILED', 'The server closed the connection.')),
    (error: unknown) => arrivals.fail(toSourceError(withoutSecrets(error, [target.password]))),
  );
  await Promise.race([started, ended.then(() => arrivals.failed())]);
  return {
    read: () => arrivals.read(),
    confirm: async (lsn) => arrivals.confirm(lsn),
    async close() {
      // A server that sends does not listen, and the library waits for its answer to the farewell.
      socket.destroy();
      arrivals.fail(new EngineError('CONNECTION_FAILED', 'The connection was closed.'));
      void service.destroy().catch(() => {});
    },
  };
}

class Arrivals {
  readonly #service: LogicalReplicationService;
  readonly #decoder = new LogDecoder();
  readonly #waiting: LogEvent[] = [];
  #isOpen = false;
  /** How far the server has sent everything. */
  #sentUpTo: Lsn | null = null;
  /** Nothing, until something was confirmed: a server never goes back. */
  #confirmed: Lsn = NOTHING;
  #failure: EngineError | undefined;
  #wake: () => void = () => {};
  #room: () => void = () => {};

  constructor(service: LogicalReplicationService) {
    this.#service = service;
    // The library waits for the promise before it reads on.
    service.on('data', (_lsn: string, message: Pgoutput.Message) => this.#arrive(message));
    service.on('heartbeat', (lsn: string, _at: number, shouldRespond: boolean) => {
      this.#sentUpTo = lsnOf(lsn);
      // Whoever answers every sign of life gets one for every answer.
      if (shouldRespond) this.#acknowledge();
    });
    service.on('error', (error) => this.fail(toSourceError(error)));
  }

  fail(error: EngineError): void {
    this.#failure ??= error;
    this.#wake();
    this.#room();
  }

  failed(): void {
    if (this.#failure) throw this.#failure;
  }

  confirm(lsn: Lsn): void {
    this.#confirmed = lsn;
    this.#acknowledge();
  }

  /** The library adds one byte to what it is told. */
  #acknowledge(): void {
    void this.#service.acknowledge(this.#confirmed === NOTHING ? NOTHING : before(this.#confirmed));
  }

  async #arrive(message: Pgoutput.Message): Promise<void> {
    const event = this.#decoder.event(message);
    if (!event) return;
    this.#waiting.push(event);
    this.#wake();
    if (this.#waiting.length < MOST_WAITING) return;
    await new Promise<void>((resolve) => {
      this.#room = resolve;
    });
  }

  async *read(): AsyncGenerator<LogEvent> {
    for (;;) {
      this.failed();
      const event = this.#waiting.shift();
      if (event) {
        this.#isOpen = event.kind === 'begin' || (this.#isOpen && event.kind !== 'commit');
        yield event;
        continue;
      }
      this.#room();
      const upTo = this.#sentUpTo;
      if ((await this.#quiet()) && !this.#isOpen) {
        yield { kind: 'idle', lsn: upTo };
        return;
      }
    }
  }

  /** Whether nothing has come for a moment. */
  #quiet(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(this.#waiting.length === 0), QUIET_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }
}

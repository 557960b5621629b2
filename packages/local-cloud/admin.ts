import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isOwnOrigin } from './core/access/addresses.ts';
import type { FaultRule, Faults } from './core/faults.ts';

const PREFIX = '/_local/';

const EFFECTS: ReadonlySet<string> = new Set<FaultRule['effect']>([
  'throttle',
  'conflict',
  'error',
  'lostAnswer',
  'duplicate',
  'delay',
  'kill',
]);

export interface AdminParts {
  faults: Faults;
  /** What AWS would have billed so far: DynamoDB units by table, SQS requests, and state transitions. */
  capacity(): unknown;
  /** Every grant of the deployed policies with a request that needed it, and every denied request. */
  access(): unknown;
}

/** `/_local/…`: the fault switch, the meters and the use of policies, for tests and benchmarks in other processes. */
export class Admin {
  readonly #parts: AdminParts;

  constructor(parts: AdminParts) {
    this.#parts = parts;
  }

  /** Answers a request for this interface. Returns false for any other request. */
  handle(message: IncomingMessage, response: ServerResponse): boolean {
    if (!message.url?.startsWith(PREFIX)) return false;
    const call = `${message.method} ${message.url.slice(PREFIX.length)}`;
    this.#answer(call, message).then(
      ([status, body]) => reply(response, status, body),
      (error: unknown) => reply(response, 400, { message: String(error) }),
    );
    return true;
  }

  async #answer(call: string, message: IncomingMessage): Promise<[number, unknown]> {
    const { faults } = this.#parts;
    const { origin } = message.headers;
    if (origin !== undefined && !isOwnOrigin(origin)) return [403, { message: `Pages of ${origin} get no answer.` }];
    switch (call) {
      case 'GET health':
        return [200, { status: 'ok' }];
      case 'GET capacity':
        return [200, this.#parts.capacity()];
      case 'GET access':
        return [200, this.#parts.access()];
      case 'GET faults':
        return [200, faults.rules];
      case 'PUT faults':
        faults.replace(readRules(JSON.parse(await text(message))));
        return [200, faults.rules];
      default:
        return [404, { message: `There is no ${call}.` }];
    }
  }
}

function readRules(value: unknown): FaultRule[] {
  if (!Array.isArray(value)) throw new Error('expected a list of fault rules');
  for (const rule of value as Partial<FaultRule>[]) {
    if (typeof rule.service !== 'string') throw new Error('a fault rule needs the name of its service');
    if (!EFFECTS.has(rule.effect ?? ''))
      throw new Error(`the effect of a fault rule must be one of ${[...EFFECTS].join(', ')}`);
  }
  return value as FaultRule[];
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const content = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': content.length });
  response.end(content);
}

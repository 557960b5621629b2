import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { type Answer, decode, encode } from 'dns-packet';

/**
 * A DNS server on loopback for TXT records. On the same port by HTTP, tests set the records of a name: `PUT /<name>`
 * with a list of texts. Names without records do not exist.
 */
export class DnsServer {
  readonly address: string;
  readonly #control: Server;
  readonly #socket: Socket;
  readonly #records = new Map<string, string[]>();

  private constructor(control: Server, socket: Socket) {
    this.#control = control;
    this.#socket = socket;
    this.address = `127.0.0.1:${(control.address() as AddressInfo).port}`;
    control.on('request', async (request, response) => {
      this.#records.set(request.url!.slice(1).toLowerCase(), JSON.parse(await textOf(request)) as string[]);
      response.end();
    });
    socket.on('message', (message, { port, address }) => socket.send(this.#answer(message), port, address));
  }

  static async open(): Promise<DnsServer> {
    const control = createServer();
    await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
    const socket = createSocket('udp4');
    const { port } = control.address() as AddressInfo;
    await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
    return new DnsServer(control, socket);
  }

  close(): void {
    this.#control.closeAllConnections();
    this.#control.close();
    this.#socket.close();
  }

  #answer(message: Buffer): Buffer {
    const { id = 0, questions = [] } = decode(message);
    const name = questions[0]?.name ?? '';
    const texts = questions[0]?.type === 'TXT' ? (this.#records.get(name.toLowerCase()) ?? []) : [];
    // A long text has several parts, as in every DNS.
    const answers = texts.map((text): Answer => ({ type: 'TXT', name, ttl: 0, data: text.match(/.{1,20}/g) ?? [''] }));
    const nameIsUnknown = 3;
    return encode({ type: 'response', id, flags: answers.length > 0 ? 0 : nameIsUnknown, questions, answers });
  }
}

/** Sets the TXT records of a name on the server that the deployment asks. */
export async function setTexts(dns: string, name: string, texts: readonly string[]): Promise<void> {
  await fetch(`http://${dns}/${name}`, { method: 'PUT', body: JSON.stringify(texts) });
}

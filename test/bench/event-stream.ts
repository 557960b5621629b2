import { type ClientRequest, request } from 'node:http';

export interface ReceivedEvent {
  type: string;
  data: Record<string, unknown>;
  /** When it was there (ms since 1970). */
  at: number;
}

/** A client of a stream of server-sent events that notes when each came. */
export class EventStream {
  readonly events: ReceivedEvent[] = [];
  /** Resolves with the first event, which says that the stream is open. */
  readonly opened: Promise<void>;
  /** Resolves when the server has ended the stream; rejects when it breaks off. */
  readonly ended: Promise<void>;
  readonly #request: ClientRequest;

  constructor(url: string, headers: Record<string, string>) {
    const [opened, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.opened = opened.promise;
    this.ended = ended.promise;
    const fail = (error: Error) => {
      opened.reject(error);
      ended.reject(error);
    };
    this.#request = request(url, { headers, agent: false });
    this.#request.on('error', fail);
    this.#request.on('response', (response) => {
      if (response.statusCode !== 200) fail(new Error(`${url} answered ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const at = Date.now();
        const frames = (text + chunk).split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) this.#note(frame, at);
        if (this.events.length > 0) opened.resolve();
      });
      response.on('error', fail);
      response.on('end', () => ended.resolve());
    });
    this.#request.end();
    // Callers that wait for one of them receive the failure there.
    this.opened.catch(() => {});
    this.ended.catch(() => {});
  }

  #note(frame: string, at: number): void {
    const [, type] = /^event: (.*)$/m.exec(frame) ?? [];
    const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
    if (type !== undefined && data !== undefined) this.events.push({ type, data: JSON.parse(data), at });
  }

  close(): void {
    this.#request.destroy();
  }
}

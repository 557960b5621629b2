import { ApiError, ConnectionError } from './errors.ts';
import type { AnyOptions } from './options.ts';
import { pause } from './request.ts';

interface ServerEvent {
  event: string;
  data: unknown;
  id: string;
}

/** Longest line of a stream, in characters: a stream without line ends must not fill the memory. */
const MAX_LINE = 16 * 1024 ** 2;

/** The lines of a body, without their ends. */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return;
  const decoder = new TextDecoder();
  let rest = '';
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      if (rest.length > MAX_LINE)
        throw new ConnectionError(`A line of the stream has more than ${MAX_LINE} characters.`);
      yield* lines;
      if (done) break;
    }
    if (rest !== '') yield rest;
  } finally {
    // A reader that stops early ends the request.
    await reader.cancel().catch(() => {});
  }
}

/** The lines of a reply in `application/x-ndjson`, parsed. */
export async function* jsonLines(open: () => Promise<Response>): AsyncGenerator<unknown> {
  for await (const line of linesOf((await open()).body)) if (line !== '') yield JSON.parse(line);
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** Of connections in a row without any event. */
const MAX_LOST = 8;

/**
 * The events of a stream, until one named `end`. A lost connection is opened again after the last event that arrived;
 * after eight in vain, the error is thrown.
 */
export async function* serverEvents(
  open: (lastEventId: string | undefined) => Promise<Response>,
  { signal }: Pick<AnyOptions, 'signal'>,
): AsyncGenerator<ServerEvent> {
  let lastId: string | undefined;
  for (let lost = 0; ; lost += 1) {
    let failure: unknown = new ConnectionError('The stream of events ends again and again without an event.');
    try {
      for await (const event of eventsOf(linesOf((await open(lastId)).body))) {
        lost = -1;
        lastId = event.id || lastId;
        if (!ABOUT_THE_CONNECTION.has(event.event)) yield { ...event, id: lastId ?? '' };
        if (event.event === 'end') return;
      }
    } catch (error) {
      failure = error;
    }
    if (signal?.aborted) throw signal.reason;
    if (isFinal(failure) || lost >= MAX_LOST) throw failure;
    if (lost >= 0) await pause(Math.min(FIRST_WAIT_MS * 2 ** lost, MAX_WAIT_MS), signal);
  }
}

const ABOUT_THE_CONNECTION = new Set(['heartbeat', 'reconnect']);

const isFinal = (failure: unknown): boolean => failure instanceof ApiError && failure.status < 500;

async function* eventsOf(lines: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let [event, id, data] = ['message', '', [] as string[]];
  for await (const line of lines) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (line === '') {
      if (data.length > 0) yield { event, id, data: JSON.parse(data.join('\n')) };
      [event, data] = ['message', []];
    } else if (field === 'event') event = value!;
    else if (field === 'data') data.push(value!);
    else if (field === 'id') id = value!;
  }
}

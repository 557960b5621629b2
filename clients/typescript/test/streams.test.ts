import { describe, expect, it } from 'vitest';
import { Analytics, NotFound } from '../src/index.ts';
import { type Answer, hangUp, problem, scriptedServer } from './scripted-server.ts';

const RUN = '01a22997-4f10-7cf9-9400-18c2f8d14ff7';

/** Sends pieces of text, and ends or hangs up. */
const stream =
  (pieces: string[], ends: 'end' | 'destroy'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = ([piece, ...rest]: string[]): void => {
      if (piece === undefined) response[ends]();
      else response.write(piece, () => setImmediate(write, rest));
    };
    write(pieces);
  };

const frame = (id: number, event: string, data: object) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const status = (id: number, to: string) => frame(id, 'run.status', { runId: RUN, status: to, attempt: 1, at: 'now' });

async function eventsOf(api: Analytics): Promise<string[]> {
  const names: string[] = [];
  for await (const { event, id } of api.runs.events(RUN)) names.push(`${id} ${event}`);
  return names;
}

describe('the events of a run', () => {
  it('go on after the last one when a connection is lost, and end with the run', async () => {
    const first = status(1, 'running');
    const halves = [first.slice(0, 20), first.slice(20), status(2, 'running').slice(0, 30)];
    await using server = await scriptedServer(
      stream(halves, 'destroy'),
      hangUp,
      stream([': comment\n\n', frame(3, 'heartbeat', { at: 'now' }), frame(3, 'reconnect', {})], 'end'),
      stream([status(4, 'succeeded'), 'event: end\ndata: {"status":"succeeded"}\n\n'], 'end'),
    );
    expect(await eventsOf(new Analytics({ url: server.url }))).toEqual(['1 run.status', '4 run.status', '4 end']);
    expect(server.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '1', '3']);
  });

  it('are refused like any other request', async () => {
    await using server = await scriptedServer(problem(404, 'RUN_NOT_FOUND'));
    await expect(eventsOf(new Analytics({ url: server.url }))).rejects.toBeInstanceOf(NotFound);
    expect(server.seen).toHaveLength(1);
  });

  it('end the request when no more are wanted', async () => {
    let closed: Promise<unknown> | undefined;
    await using server = await scriptedServer((response, seen) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(status(1, 'running'));
      expect(seen.headers.accept).toBe('text/event-stream');
    });
    for await (const { data } of new Analytics({ url: server.url }).runs.events(RUN)) {
      expect(data).toMatchObject({ status: 'running' });
      break;
    }
    await closed;
  });
});

it('lines of a reply come as they arrive', async () => {
  await using server = await scriptedServer(stream(['{"card', '":"a"}\n{"card":"b"}\n\n{"ca', 'rd":"ü"}'], 'end'));
  const lines: unknown[] = [];
  for await (const line of new Analytics({ url: server.url }).dashboards.streamCards(RUN, {} as never))
    lines.push(line);
  expect(lines).toEqual([{ card: 'a' }, { card: 'b' }, { card: 'ü' }]);
});

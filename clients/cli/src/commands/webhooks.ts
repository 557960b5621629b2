import { buildRouteMap } from '@stricli/core';
import { webhooks as signatures } from '../../../typescript/src/index.ts';
import { command } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { idOf } from '../find.ts';
import { readInput } from '../input.ts';
import { localTime, printable, statusText, table } from '../output.ts';

const word = (brief: string, placeholder: string) => ({ brief, parse: String, placeholder });
const positional = (...parameters: object[]) => ({ kind: 'tuple', parameters }) as const;
const WEBHOOK = word('Name or id of the webhook', 'webhook');

const deliveries = command<
  { status?: 'pending' | 'delivering' | 'retrying' | 'delivered' | 'failed'; limit?: number },
  [webhook: string]
>({
  brief: 'List deliveries, newest first',
  parameters: {
    positional: positional(WEBHOOK),
    flags: {
      status: {
        kind: 'enum',
        values: ['pending', 'delivering', 'retrying', 'delivered', 'failed'],
        brief: 'Only deliveries with this status',
        optional: true,
      },
      limit: { kind: 'parsed', parse: Number, brief: 'Maximum number of deliveries', placeholder: 'N', default: '20' },
    },
  },
  async run({ api, terminal, signal }, { status, limit }, webhook) {
    const id = await idOf(api.webhooks, 'webhook', webhook, { signal });
    const { items } = await api.webhooks.listDeliveries(
      id,
      { limit: limit ?? 20, ...(status && { status }) },
      { signal },
    );
    if (terminal.isJson) return terminal.out(JSON.stringify(items));
    const rows = items.map((each) => {
      const { id, event, status, createdAt, lastError } = each as unknown as Record<string, string | null>;
      return [statusText({ paint: (_, text) => text }, status!), event, id, localTime(createdAt), lastError ?? ''];
    });
    const columns = ['STATUS', 'EVENT', 'DELIVERY', 'CREATED', 'LAST ERROR'].map((name) => ({ name }));
    terminal.out(table(terminal, columns, rows));
  },
});

const redeliver = command<object, [webhook: string, delivery: string]>({
  brief: 'Send a delivery again',
  changes: true,
  parameters: { positional: positional(WEBHOOK, word('Id of the delivery', 'delivery')) },
  async run({ api, terminal, signal }, _, webhook, delivery) {
    const id = await idOf(api.webhooks, 'webhook', webhook, { signal });
    const again = await api.webhooks.redeliverDelivery(id, delivery, { signal });
    if (terminal.isJson) terminal.out(JSON.stringify(again));
    else terminal.note('The delivery will be sent again.');
  },
});

const replay = command<object, [webhook: string, from: string, to: string]>({
  brief: 'Send every failed delivery of a period again',
  changes: true,
  parameters: {
    positional: positional(
      WEBHOOK,
      word('Time of the first event, as 2026-01-31T06:00:00Z', 'from'),
      word('Time of the last event', 'to'),
    ),
  },
  async run({ api, terminal, signal }, _, webhook, from, to) {
    const id = await idOf(api.webhooks, 'webhook', webhook, { signal });
    const begun = await api.webhooks.replayDeliveries(id, { from, to }, { signal });
    if (terminal.isJson) terminal.out(JSON.stringify(begun));
    else terminal.note('The failed deliveries of the period will be sent again.');
  },
});

const SECRET = 'ANALYTICS_WEBHOOK_SECRET';

const verify = command<{ header?: readonly string[] }, [body: string]>({
  brief: 'Check the signature of a delivery that a receiver got',
  fullDescription: `The secret of the webhook is read from the variable ${SECRET}. Nothing is sent. A wrong signature, and a delivery that is older than five minutes, end with the status 1.`,
  parameters: {
    positional: positional(word('File with the unmodified body; - for standard input', 'body')),
    flags: {
      header: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        brief:
          'A header of the delivery: x-service-signature, x-service-timestamp and x-service-delivery-id are needed',
        placeholder: 'NAME: VALUE',
        optional: true,
      },
    },
  },
  async run({ terminal, process }, { header = [] }, body) {
    const secret = process.env[SECRET];
    if (!secret) throw new CommandError(EXIT.usage, `Set ${SECRET} to the secret of the webhook.`, 'SECRET_MISSING');
    const headers = Object.fromEntries(header.map(headerFrom));
    const content = new Uint8Array(await readInput(body, process));
    const event = await signatures.verify(secret, headers, content).catch((error: Error) => {
      throw new CommandError(EXIT.failed, error.message, 'DELIVERY_INVALID');
    });
    if (terminal.isJson) terminal.out(JSON.stringify(event));
    else terminal.out(`The signature is valid: ${printable(event.event)} of ${localTime(event.timestamp)}`);
  },
});

function headerFrom(text: string): [name: string, value: string] {
  const end = text.indexOf(':');
  if (end < 1)
    throw new CommandError(EXIT.usage, `"${text}" is not a header; write it as "name: value".`, 'HEADER_INVALID');
  return [text.slice(0, end).trim().toLowerCase(), text.slice(end + 1).trim()];
}

export const webhooks = buildRouteMap({
  routes: { deliveries, redeliver, replay, verify },
  docs: { brief: 'Deliveries of webhooks' },
});

import { buildRouteMap } from '@stricli/core';
import { command } from '../command.ts';
import { idOf } from '../find.ts';
import { localTime, statusText, table } from '../output.ts';

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
        brief: 'Only these',
        optional: true,
      },
      limit: { kind: 'parsed', parse: Number, brief: 'Most of them', placeholder: 'N', default: '20' },
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
    else terminal.note('It is sent again.');
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
    else terminal.note('The failed deliveries of the period are sent again.');
  },
});

export const webhooks = buildRouteMap({
  routes: { deliveries, redeliver, replay },
  docs: { brief: 'Deliveries of webhooks' },
});

// What the package must be able to do in every runtime, over the network of that runtime. Its argument is the address
// of a server that answers in turn.
import { Analytics, NotFound, objects, webhooks } from '../dist/index.js';

const api = new Analytics({ url: process.argv[2], apiKey: 'secret-key' });
const RUN = '01a22997-4f10-7cf9-9400-18c2f8d14ff7';

const names = [];
for await (const { name } of api.datasets.list({ limit: 1 })) names.push(name);
const created = await api.datasets.create({ name: 'Ü', source: { kind: 'datasets', sql: 'SELECT 1' } });
const missing = await api.datasets.get(RUN).catch((error) => error instanceof NotFound && error.code);
const events = [];
for await (const { event } of api.runs.events(RUN)) events.push(event);
const rows = [...objects(await api.query.run({ sql: 'SELECT 1 AS n' }))];
const late = await api.datasets.get(RUN, { timeoutMs: 50 }).catch((error) => error.name);

const headers = { 'x-service-delivery-id': 'd', 'x-service-timestamp': '1700000000' };
const signing = { name: 'HMAC', hash: 'SHA-256' };
const bytes = (text) => new TextEncoder().encode(text);
const key = await crypto.subtle.importKey('raw', bytes('secret'), signing, false, ['sign']);
const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes('1700000000.d.{"event":"e"}')));
const hex = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
const signed = { ...headers, 'x-service-signature': `sha256=${hex}` };
const delivery = await webhooks.verify('secret', signed, '{"event":"e"}', { now: new Date(1_700_000_000_000) });

console.log(JSON.stringify({ names, created: created.id, missing, events, rows, late, delivery: delivery.event }));
process.exit(0);

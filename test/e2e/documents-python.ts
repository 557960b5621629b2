import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXPORT_MEDIA_TYPES } from '../../shared/domains/boards/exports/index.ts';
import { call } from '../support/http.ts';
import { StartedPlatform } from '../support/started-platform.ts';

/**
 * `npm run soak:documents [python]`: starts a platform, exports a dashboard in every format and opens the files with
 * readers that others have written. The Python needs `pip install openpyxl python-docx python-pptx pypdf pillow`.
 */
const python = process.argv[2] ?? process.env.PYTHON ?? 'python3';
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'analytics-documents-'));
const platform = new StartedPlatform(join(folder, 'data'));

/** Values that writers of files get wrong: a formula, other scripts, a long decimal, and nothing. */
const ROWS = `SELECT * FROM (VALUES
  (1, 'North', '=1+1', 1250.50::DECIMAL(9,2), DATE '2026-01-31'),
  (2, 'Süd & <West>', '日本 😀', 80::DECIMAL(9,2), DATE '1899-12-31'),
  (3, 'مرحبا', NULL, NULL, NULL)) AS t(id, region, note, amount, placed)`;

try {
  await platform.start();
  const { baseUrl, email, password } = platform.credentials;
  const session = await call(baseUrl, 'POST', '/api/auth/login', { body: { email, password } });
  const headers = { authorization: `Bearer ${session.body.accessToken}` };
  const post = async (path: string, body: object) => {
    const reply = await call(baseUrl, 'POST', path, { body, headers });
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const { id: savedQueryId } = await post('/api/saved-queries', { name: 'orders', sql: ROWS });
  const { id } = await post('/api/dashboards', { name: 'Orders of the year' });
  const cards = `/api/dashboards/${id}/cards`;
  const at = (y: number) => ({ x: 0, y, w: 24, h: 8 });
  await post(cards, { id: 'rows', cardType: 'table', title: 'Orders', savedQueryId, position: at(0) });
  const query = { source: { kind: 'savedQuery', id: savedQueryId } };
  const encoding = { x: { field: 'region' }, y: { field: 'amount' } };
  const chartSpec = { version: 1, query, mark: { type: 'bar' }, encoding };
  await post(cards, { id: 'chart', cardType: 'chart', title: 'Amounts', chartSpec, position: at(8) });

  for (const format of ['pdf', 'xlsx', 'pptx', 'docx', 'csv', 'png', 'svg'] as const) {
    const body = JSON.stringify({ format, ...(['csv', 'png', 'svg'].includes(format) && { cardIds: ['rows'] }) });
    const sent = { ...headers, 'content-type': 'application/json', accept: EXPORT_MEDIA_TYPES[format] };
    const reply = await fetch(`${baseUrl}/api/dashboards/${id}/export`, { method: 'POST', headers: sent, body });
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (reply.status !== 200) throw new Error(`${format}: ${reply.status} ${bytes.toString()}`);
    await writeFile(join(folder, `orders.${format}`), bytes);
  }
  const { stdout } = await run(python, [join(import.meta.dirname, 'documents.py'), folder]);
  console.log(stdout.trim());
} finally {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
}

import { rm } from 'node:fs/promises';
import { HAS_CHROMIUM, launchChromium } from '../../support/chromium.ts';
import type { Bench } from '../bench.ts';
import type { Platform } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, rounds, spread } from '../spread.ts';
import { SALES } from './query-set.ts';

const ROWS = scaled(1_000_000);
const CARDS = 10;
const READERS = scaled(500, 50);
const AT_ONCE = 50;
const ROUNDS = 5;
const READY_GOAL_MS = 1_000;

/** The page of a public link in a browser, and many readers of a card that is not cached. */
export async function sharedLinks({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('shared-links');
  try {
    const dataset = await loadDataset(platform, 'shown', SALES(ROWS), folder);
    const { token, url } = await givenLink(platform, dataset);
    return {
      title: 'Public links',
      rows: [...(await ready(url)), ...(await crowd(platform, token))],
      notes: [
        `A dashboard of ${CARDS} cards, each with another query over ${counted(ROWS)} rows. Ready is from opening the address in Chromium, with an empty cache of its own, to the last of the charts, whose rows and pictures are cached on the server; browser and platform share the machine. Then ${counted(READERS)} readers, ${AT_ONCE} at a time, read one card that is not cached: the platform ran its query once, or the measurement would have failed.`,
      ],
      bound: 'the machine. The functions that read the cards, the gateway, the table and the browser share its cores.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function givenLink(platform: Platform, datasetId: string): Promise<{ token: string; url: string }> {
  const { id } = await platform.call<{ id: string }>('POST', '/api/dashboards', { name: 'Shared' });
  const path = `/api/dashboards/${id}`;
  for (let index = 0; index <= CARDS; index += 1) {
    const query = {
      source: { kind: 'dataset', id: datasetId },
      dimensions: [{ column: 'region', label: 'Region' }],
      measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }],
      filters: [{ column: 'product', op: 'ne', values: [index] }],
    };
    const look = { mark: { type: 'bar' }, encoding: { x: { field: 'Region' }, y: { field: 'Amount' } } };
    // The last one is on a page of its own: readers of the first do not read it.
    const pageId = index === CARDS ? 'later' : 'first';
    if (index === 0)
      for (const each of ['first', 'later']) await platform.call('POST', `${path}/pages`, { id: each, name: each });
    const position = { x: (index % 2) * 12, y: Math.floor(index / 2) * 6, w: 12, h: 6 };
    const card = { id: `card-${index}`, title: `Card ${index}`, cardType: 'chart', pageId, position };
    await platform.call('POST', `${path}/cards`, { ...card, chartSpec: { version: 1, query, ...look } });
  }
  await platform.call('POST', `${path}/publish`, {});
  return platform.call('POST', '/api/shares', { contentType: 'dashboard', contentId: id, shareType: 'public' });
}

async function ready(url: string): Promise<Row[]> {
  if (!HAS_CHROMIUM) return [];
  const browser = await launchChromium();
  try {
    const open = async () => {
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      const startedAt = performance.now();
      await page.goto(url);
      await page.locator('#status', { hasText: 'All cards are loaded.' }).waitFor({ state: 'attached' });
      const ms = performance.now() - startedAt;
      if ((await page.locator('.picture svg').count()) !== CARDS) throw new Error('not every card was drawn');
      await page.close();
      return ms;
    };
    await rounds(2, open);
    const what = `page with ${CARDS} cached cards, ready`;
    return [
      {
        what,
        unit: 'ms',
        measured: spread(await rounds(ROUNDS, open)),
        goal: { of: 'measured', atMost: READY_GOAL_MS },
      },
    ];
  } finally {
    await browser.close();
  }
}

async function crowd(platform: Platform, token: string): Promise<Row[]> {
  const body = { cardId: `card-${CARDS}` };
  const found: { ms: number; cache: string }[] = [];
  const read = async () => {
    const { status, text, ms } = await platform.http.send(
      'POST',
      `${platform.endpoint}/api/shares/${token}/card-data`,
      body,
    );
    if (status !== 200) throw new Error(`a reader got ${status}: ${text}`);
    found.push({ ms, cache: (JSON.parse(text) as { cache: string }).cache });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => rounds(READERS / AT_ONCE, read)));
  const queries = found.filter(({ cache }) => cache === 'miss').length;
  if (queries !== 1) throw new Error(`${found.length} readers of one card ran ${queries} queries`);
  const times = found.map(({ ms }) => ms);
  const row = (percent: number): Row => {
    const value = percentile(times, percent);
    return { what: `${counted(READERS)} readers of a new card, p${percent}`, unit: 'ms', measured: spread([value]) };
  };
  return [row(50), row(95)];
}

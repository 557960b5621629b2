import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { IDS } from '../../../functions/platform/example-values.ts';
import { DOCUMENT, issuesIn } from '../api-document.ts';
import { type Example, muchData, parentsOf, termsFile } from './much-data.ts';
import type { Behaviour, Reply, Walk, Walked } from './walk-types.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SCREENS = join(ROOT, 'functions/platform/console/site/screens');

/** What the API does while the screens are looked at. */
export const STATES = ['loading', 'empty', 'failed', 'forbidden', 'full'] as const;
export type State = (typeof STATES)[number];

interface Registered {
  path: string;
  shows?: string | readonly string[];
}

/** An address of every screen that is registered; that of a record has the id of an example. */
export async function everyPath(): Promise<string[]> {
  const files = globSync('*/screen.ts', { cwd: SCREENS }).toSorted();
  const modules = await Promise.all(
    files.map((file) => import(join(SCREENS, file)) as Promise<{ screens: Registered[] }>),
  );
  const screens = modules.flatMap((module) => module.screens).filter(({ path }) => !path.startsWith('/settings/'));
  const records = new Map(screens.map(({ path, shows }) => [path, [shows].flat()[0]]));
  return screens.map(({ path }) => {
    const record = path.replace(/(?<=:id)\/.*/, '');
    return (
      path.replaceAll(/:(\w+)/g, (_all, name: string) => idOf(name, record, records.get(record))) +
      (QUERIES[path] ?? '')
    );
  });
}

/** What a screen needs to show something. */
const QUERIES: Readonly<Record<string, string>> = { '/search': '?q=revenue' };

const VALUES: Readonly<Record<string, string>> = { type: 'dataset', webhook: IDS.webhook, delivery: IDS.delivery };
/** Records that the screens of other kinds show too. */
const RECORDS: Readonly<Record<string, string>> = {
  '/explore/:id': IDS.model,
  '/sources/:id': IDS.database,
  '/stories/:id': IDS.story,
  '/quality/scans/:id': IDS.qualityScanSchedule,
};

function idOf(name: string, path: string, shows: string | undefined): string {
  const key = shows?.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return VALUES[name] ?? RECORDS[path] ?? (IDS as Readonly<Record<string, string>>)[key ?? ''] ?? IDS.orders;
}

/** What a screen has to say when its reads fail. */
export const FAILURES: Readonly<Partial<Record<State, { status: number; code: string; detail: string }>>> = {
  failed: { status: 500, code: 'INTERNAL', detail: 'The test wants this to fail.' },
  forbidden: { status: 403, code: 'FORBIDDEN', detail: 'The test wants this to be forbidden.' },
};

/** Puts replies of the state in the place of those of the API. Before the page is loaded. */
export async function replyWith(page: Page, state: State): Promise<void> {
  const failure = FAILURES[state];
  const behaviour: Behaviour = {
    kind: state === 'loading' ? 'hang' : 'answer',
    replies: repliesOf(state),
    ...(failure && {
      failure: {
        status: failure.status,
        body: JSON.stringify({
          type: 'about:blank',
          title: failure.code,
          errors: [],
          requestId: 'request-1',
          ...failure,
        }),
      },
    }),
  };
  await page.addInitScript({ content: `${await script()};replyAs(${JSON.stringify(behaviour)})` });
}

/** Goes through the screens within the page. With PICTURES, writes pictures of them under a name. */
export async function walkScreens(page: Page, name: string, walk: Walk): Promise<Walked> {
  if (process.env.PICTURES) {
    await page.exposeFunction('takePicture', async (where: string) => {
      await page.screenshot({ path: `${process.env.PICTURES}/${`${where} ${name}`.replaceAll(/[^\w-]+/g, '-')}.png` });
    });
  }
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return (await page.evaluate(`walkScreens(${JSON.stringify(walk)})`)) as Walked;
}

let built: Promise<string> | undefined;
function script(): Promise<string> {
  built ??= build({
    entryPoints: [join(import.meta.dirname, 'walk/walk.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  }).then(({ outputFiles }) => outputFiles[0]!.text);
  return built;
}

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
type Json = any;

const TEXTS: Readonly<Record<string, string>> = {
  'application/yaml': 'name: Sales\nversion: 1\n',
  'image/svg+xml':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><path d="M0 90 L300 10" stroke="#888"/></svg>',
};

/** The examples of all operations, as replies. */
function repliesOf(state: State): Reply[] {
  const operations = exampleReplies();
  const much = state === 'full' ? muchData(operations) : undefined;
  const bodyOf = (operation: Operation) => much?.get(operation) ?? shapeOf(state, operation.value);
  const terms = operations.find(({ path, method }) => path === '/catalog/terms' && method === 'GET')!;
  const texts: Readonly<Record<string, string>> = { ...TEXTS, 'text/csv': termsFile(bodyOf(terms).items) };
  return (
    operations
      .map((operation): Reply => {
        const { path, method, status, type } = operation;
        const pattern = `^/api${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`;
        const body = texts[type] ?? textOf(type, bodyOf(operation));
        return { method, path: pattern, ids: parentsOf(path, operations), status, type, body };
      })
      // Literal segments take precedence.
      .sort((one, other) => one.ids.length - other.ids.length)
  );
}

interface Operation extends Example {
  status: number;
  type: string;
}

/** The first successful reply of each operation. */
function exampleReplies(): Operation[] {
  return Object.entries<Json>(DOCUMENT.paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations).flatMap(([method, { operationId, responses }]): Operation[] => {
      const status = Object.keys(responses ?? {}).find((each) => each.startsWith('2'));
      if (status === undefined) return [];
      const [type = '', content] = Object.entries<Json>(responses[status].content ?? {})[0] ?? [];
      const { example: value, schema } = content ?? {};
      return [{ operationId, path, method: method.toUpperCase(), status: Number(status), type, schema, value }];
    }),
  );
}

/** What the document says against the replies of a workspace with much data. */
export function issuesOfMuchData(): string[] {
  const operations = exampleReplies().filter(({ type, value }) => type === 'application/json' && value !== undefined);
  return [...muchData(operations)].flatMap(([{ operationId, schema }, value]) => {
    const issues = issuesIn(schema, value);
    return issues ? [`${operationId}: ${issues}`] : [];
  });
}

const textOf = (type: string, value: Json): string =>
  type === 'application/x-ndjson' && Array.isArray(value)
    ? value.map((line) => JSON.stringify(line)).join('\n')
    : (JSON.stringify(value) ?? '');

/** An example as it is if there is nothing. */
function shapeOf(state: State, example: Json): Json {
  if (state !== 'empty' || !Array.isArray(example?.items)) return example;
  return { ...example, items: [], ...('total' in example && { total: 0 }) };
}

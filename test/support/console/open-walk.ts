import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { IDS } from '../../../functions/platform/example-values.ts';
import { DOCUMENT } from '../api-document.ts';
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
  return modules
    .flatMap(({ screens }) => screens)
    .filter(({ path }) => !path.startsWith('/settings/'))
    .map(
      ({ path, shows }) =>
        path.replaceAll(/:(\w+)/g, (_all, name: string) => idOf(name, [shows].flat()[0])) + (QUERIES[path] ?? ''),
    );
}

/** What a screen needs to show something. */
const QUERIES: Readonly<Record<string, string>> = { '/search': '?q=revenue' };

const VALUES: Readonly<Record<string, string>> = { type: 'dataset', webhook: IDS.webhook };

function idOf(name: string, shows: string | undefined): string {
  const key = shows?.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return VALUES[name] ?? (IDS as Readonly<Record<string, string>>)[key ?? ''] ?? IDS.orders;
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
    await page.exposeFunction('takePicture', (where: string) =>
      page.screenshot({ path: `${process.env.PICTURES}/${`${where} ${name}`.replaceAll(/[^\w-]+/g, '-')}.png` }),
    );
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
  'text/csv': 'a,b\n1,2\n',
};

/** The examples of all operations, as replies. */
function repliesOf(state: State): Reply[] {
  return (
    Object.entries<Json>(DOCUMENT.paths)
      .flatMap(([path, operations]) =>
        Object.entries<Json>(operations).flatMap(([method, { responses }]): Reply[] => {
          const status = Object.keys(responses ?? {}).find((each) => each.startsWith('2'));
          if (status === undefined) return [];
          const [type = '', content] = Object.entries<Json>(responses[status].content ?? {})[0] ?? [];
          const { example } = content ?? {};
          const text = TEXTS[type] ?? textOf(type, shapeOf(state, example));
          const pattern = `^/api${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`;
          return [{ method: method.toUpperCase(), path: pattern, status: Number(status), type, body: text }];
        }),
      )
      // Literal segments take precedence.
      .sort((one, other) => one.path.split('[^/]+').length - other.path.split('[^/]+').length)
  );
}

const textOf = (type: string, value: Json): string =>
  type === 'application/x-ndjson' && Array.isArray(value)
    ? value.map((line) => JSON.stringify(line)).join('\n')
    : (JSON.stringify(value) ?? '');

/** An example as it is if there is nothing, or much of it. */
function shapeOf(state: State, example: Json): Json {
  if (state === 'full') return ugly(example);
  const isList = Array.isArray(example?.items);
  if (state === 'empty' && isList) return { ...example, items: [], ...('total' in example && { total: 0 }) };
  return example;
}

const ITEMS = 12;
/** What people write. */
const WRITTEN = /^(name|title|description|label|message|note|reason|summary|comment|detail)$/;
/** Without spaces, which no line can be broken at. */
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitän';

/** Long lists, of records with long names. */
function ugly(value: Json, key = '', index = 0): Json {
  if (typeof value === 'string') {
    if (WRITTEN.test(key)) return `${value} ${WORD} & <b>“quoted”</b> ${'with many words '.repeat(6)}${index}`;
    return value;
  }
  if (Array.isArray(value)) {
    const [first] = value;
    if (key !== 'items' || !first || typeof first !== 'object') return value.map((each) => ugly(each, key, index));
    return Array.from({ length: ITEMS }, (_, at) => distinct(ugly(value[at % value.length], key, at), at));
  }
  if (value === null || typeof value !== 'object') return value;
  const isList = Array.isArray(value.items) && value.items.length > 0;
  const entries = Object.entries<Json>(value).map(([name, member]) => [name, ugly(member, name, index)]);
  return { ...Object.fromEntries(entries), ...(isList && 'total' in value && { total: ITEMS }) };
}

/** Records of a list have ids of their own; the first keeps that of the example. */
function distinct(record: Json, index: number): Json {
  if (index === 0) return record;
  const others = Object.entries<Json>(record)
    .filter(([name, value]) => /^(id|key|\w+Id)$/.test(name) && typeof value === 'string')
    .map(([name, value]) => [name, `${value.slice(0, -2)}${String(index).padStart(2, '0')}`]);
  return { ...record, ...Object.fromEntries(others) };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Actor, Api } from './api.ts';
import type { Reply } from './conformance.ts';

/** A request of a guide, and the JSON that follows it, which is a part of its reply. */
export interface Example {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  reply: string | undefined;
}

type Values = Record<string, string | undefined>;

interface Following {
  /** For the names in braces of paths and requests. Replies add to them. */
  values?: Values;
  /** What the test has in place of texts of the guide, such as a domain. Earlier ones are replaced first. */
  instead?: Record<string, string>;
  callerOf?: (example: Example) => Actor | { token: string };
  /** Returns further values. */
  after?: (example: Example, reply: Reply) => Promise<Values> | Values;
}

const FENCE = /```(\w+)(?: \w+)?\n([\s\S]*?)```/g;
/** The platform as the guides name it. */
const PLATFORM = 'https://analytics.example.com';

/** Sends the requests of a guide in their order. Each succeeds, or redirects, with the reply that the guide shows. */
export async function followGuide(api: Api, page: string, following: Following = {}): Promise<void> {
  const { values = {}, instead = {}, callerOf, after } = following;
  const known = { ...values };
  const replaced = (text: string) =>
    Object.entries(instead).reduce((sum, [shown, meant]) => sum.replaceAll(shown, meant), text);
  for (const example of examplesOf(page)) {
    const { method, headers } = example;
    const path = filled(replaced(example.path), known);
    const text = example.body && filled(replaced(example.body), known);
    const reply = await api
      .as(callerOf?.(example) ?? 'editor')
      .send(method, path, { headers, ...(text !== undefined && { text }) });
    const sent = `${method} ${example.path}`;
    expect(reply.status, `${sent}: ${JSON.stringify(reply.body)}`).toBeLessThan(400);
    if (example.reply) {
      const reported = replaced(example.reply.replaceAll(PLATFORM, api.endpoint));
      expect(reply.body, sent).toMatchObject(parseReply(reported) as object);
    }
    Object.assign(known, await after?.(example, reply));
  }
}

/** The blocks of code of a guide, in their order. */
export function fencesOf(page: string): { language: string; content: string }[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  return [...text.matchAll(FENCE)].map(([, language, content]) => ({ language: language!, content: content! }));
}

/** Throws if the guide has no requests, or has some that are not marked as such. */
export function examplesOf(page: string): Example[] {
  const fences = fencesOf(page);
  const unmarked = fences.find(({ language, content }) => language !== 'http' && /^[A-Z]+ \/api\//.test(content));
  if (unmarked) throw new Error(`docs/${page} has a request that is not marked as http: ${unmarked.content}`);
  const examples = fences.flatMap(({ language, content }, at) => {
    const next = fences[at + 1];
    const reply = next?.language === 'json' ? next.content : undefined;
    return language === 'http' ? [{ ...requestOf(content), reply }] : [];
  });
  if (examples.length === 0) throw new Error(`docs/${page} has no requests`);
  return examples;
}

function requestOf(content: string): Omit<Example, 'reply'> {
  const [, method, path, head, body] = /^(\w+) (\S+)\n((?:[\w-]+: .*\n)*)\s*([\s\S]*)$/.exec(content)!;
  const headers = [...head!.matchAll(/([\w-]+): (.*)\n/g)].map(([, name, value]) => [name!, value!]);
  return { method: method!, path: path!, headers: Object.fromEntries(headers), body: body!.trim() || undefined };
}

function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`the example names {${name}}, which has no value`);
    return values[name];
  });
}

/** In texts, an ellipsis stands for what is different in each reply. */
const parseReply = (reply: string): unknown =>
  JSON.parse(reply, (_, value: unknown) =>
    typeof value === 'string' && value.includes('…') ? expect.stringMatching(patternOf(value)) : value,
  );

const patternOf = (text: string) =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+')}$`,
  );

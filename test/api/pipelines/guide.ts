import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One thing that the guide does or says, in the order in which it stands there. */
export type Block =
  /** Steps behind the first one of the guide. */
  | { kind: 'steps'; steps: string }
  | { kind: 'definition'; dag: string }
  /** A file that is uploaded. */
  | { kind: 'file'; path: string; content: string }
  /** What its answer holds, if that is told. */
  | { kind: 'request'; method: string; url: string; body: string | undefined; answer: string | undefined }
  | { kind: 'query'; sql: string; rows: string };

/** A section of the guide with its examples. */
export interface Story {
  title: string;
  blocks: Block[];
}

export interface Guide {
  /** What the steps of an example stand behind, and the file that it reads. */
  first: string;
  csv: string;
  stories: Story[];
}

const FENCE = /```(\w+)(?: ([^\n]+))?\n([\s\S]*?)```/g;

/** Reads docs/pipelines.md. Throws where something stands alone that belongs to what is before it. */
export function readGuide(): Guide {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/pipelines.md'), 'utf8');
  const [head, ...sections] = text.split(/\n##+ /);
  const [first, csv] = fencesOf(head!).map(({ content }) => content);
  const stories = sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    blocks: blocksOf(section),
  }));
  return { first: first!, csv: csv!, stories: stories.filter(({ blocks }) => blocks.length > 0) };
}

interface Fence {
  language: string;
  name: string | undefined;
  content: string;
  /** Nothing but an empty line is between it and the one before. */
  follows: boolean;
}

function fencesOf(text: string): Fence[] {
  let end = 0;
  return [...text.matchAll(FENCE)].map(({ 0: all, 1: language, 2: name, 3: content, index }) => {
    const follows = text.slice(end, index).trim() === '';
    end = index + all.length;
    return { language: language!, name, content: content!, follows };
  });
}

function blocksOf(section: string): Block[] {
  const blocks: Block[] = [];
  const fences = fencesOf(section);
  for (let at = 0; at < fences.length; at += 1) {
    const { language, name, content } = fences[at]!;
    const next = fences[at + 1];
    const answer = next?.language === 'json' && next.follows ? next.content : undefined;
    if (language === 'json') {
      blocks.push(content.startsWith('[') ? { kind: 'steps', steps: content } : { kind: 'definition', dag: content });
    } else if (language === 'csv') {
      blocks.push({ kind: 'file', path: name!, content });
    } else if (language === 'http') {
      const [line, ...rest] = content.trim().split('\n');
      const [method, url] = line!.split(' ');
      blocks.push({ kind: 'request', method: method!, url: url!, body: rest.join('\n').trim() || undefined, answer });
      if (answer !== undefined) at += 1;
    } else if (language === 'sql') {
      if (answer === undefined) throw new Error(`the query has no rows behind it: ${content}`);
      blocks.push({ kind: 'query', sql: content, rows: answer });
      at += 1;
    } else {
      throw new Error(`the guide has a block of ${language}`);
    }
  }
  return blocks;
}

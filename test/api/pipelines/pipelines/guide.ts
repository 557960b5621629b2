import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages of the guide to pipelines. Every fenced block on them is executed. */
export const PAGES = [
  'pipelines.md',
  'pipelines-steps.md',
  'pipelines-loads.md',
  'pipelines-triggers.md',
  'pipelines-operating.md',
] as const;

const SAMPLE_DATA = 'Sample data';

/** One example, or what an example returns. A section is executed in the order of its blocks. */
export type Block =
  /** Steps (`[…]`) that follow the step of the sample data in a definition, which becomes a pipeline and is run. */
  | { kind: 'steps'; steps: string }
  /** A whole definition (`{…}`), which becomes a pipeline and is run, unless its trigger starts it. */
  | { kind: 'definition'; dag: string }
  /** A file that the reader saves (named json), beside which scripts are executed. */
  | { kind: 'saved'; path: string; content: string }
  /** A file that is uploaded to `<files>` (named csv). */
  | { kind: 'upload'; path: string; content: string }
  /** Shell commands, with the reply of the last one if JSON follows. */
  | { kind: 'script'; script: string; reply: string | undefined }
  /** A request, with its reply if JSON follows. */
  | { kind: 'request'; method: string; url: string; body: string | undefined; reply: string | undefined }
  /** A query, with its rows. */
  | { kind: 'query'; sql: string; rows: string };

export interface Section {
  page: string;
  title: string;
  blocks: Block[];
}

export interface Guide {
  /** The step of the sample data, and the file that it reads. */
  sample: { step: string; csv: string };
  sections: Section[];
}

const FENCE = /```(\w+)(?: ([^\n]+))?\n([\s\S]*?)```/g;

/** Reads the guide. Throws if a block is of an unknown language, or a query has no rows after it. */
export function readGuide(): Guide {
  const sections = PAGES.flatMap(sectionsOf);
  const sample = sections.find(({ title }) => title === SAMPLE_DATA)!;
  const [csv, step] = sample.fences;
  return {
    sample: { step: step!.content, csv: csv!.content },
    sections: sections
      .filter((section) => section !== sample && section.fences.length > 0)
      .map(({ page, title, fences }) => ({ page, title, blocks: blocksOf(fences) })),
  };
}

function sectionsOf(page: string) {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs', page), 'utf8');
  return text.split(/\n##+ /).map((section) => ({
    page,
    title: section.slice(0, section.indexOf('\n')),
    fences: fencesOf(section),
  }));
}

interface Fence {
  language: string;
  name: string | undefined;
  content: string;
  /** Only empty lines separate it from the fence before. */
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

function blocksOf(fences: readonly Fence[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < fences.length; at += 1) {
    const fence = fences[at]!;
    const next = fences[at + 1];
    const reply = next?.language === 'json' && next.follows ? next.content : undefined;
    blocks.push(blockOf(fence, reply));
    if (reply !== undefined && takesReply(fence)) at += 1;
  }
  return blocks;
}

const takesReply = ({ language }: Fence) => ['http', 'sh', 'sql'].includes(language);

function blockOf({ language, name, content }: Fence, reply: string | undefined): Block {
  switch (language) {
    case 'json':
      if (name) return { kind: 'saved', path: name, content };
      return content.startsWith('[') ? { kind: 'steps', steps: content } : { kind: 'definition', dag: content };
    case 'csv':
      return { kind: 'upload', path: name!, content };
    case 'sh':
      return { kind: 'script', script: content, reply };
    case 'http': {
      const [line, ...rest] = content.trim().split('\n');
      const [method, url] = line!.split(' ');
      return { kind: 'request', method: method!, url: url!, body: rest.join('\n').trim() || undefined, reply };
    }
    case 'sql':
      if (reply === undefined) throw new Error(`the query has no rows after it: ${content}`);
      return { kind: 'query', sql: content, rows: reply };
    default:
      throw new Error(`the guide has a block of ${language}`);
  }
}

import { escapeHtml } from '../text/escape-html.ts';
import { plainLines } from '../text/markdown/plain-text.ts';
import { readMarkdown } from '../text/markdown/read-markdown.ts';
import { DARK_MODE, looks, type MailLook } from './mail-styles.ts';
import { textHtml } from './text-html.ts';
import { visibleText } from './visible-text.ts';

/** A mail as short paragraphs, with one thing to do. Texts may be anything: they are escaped. */
export interface Mail {
  subject: string;
  heading?: string;
  paragraphs: readonly string[];
  /** Numbers, tables and texts to read, after the paragraphs. */
  blocks?: readonly Block[];
  /** A link to follow, or a code to enter. */
  action?: { label: string; url: string } | { label: string; code: string };
  /** Paragraphs after the action. */
  notes?: readonly string[];
  /** How the reader ends such mails: the address does it with one click, as mail programs offer it (RFC 8058). */
  unsubscribe?: { label: string; url: string };
  attachments?: readonly Attachment[];
}

export interface Attachment {
  /** Names a picture that the mail shows; other attachments have none. */
  contentId?: string;
  fileName: string;
  contentType: string;
  content: Uint8Array;
}

export type Block = Figure | TableBlock | TextBlock | MarkdownBlock;

export interface Figure {
  name: string;
  value: string;
  lines: readonly { text: string; tone: 'good' | 'bad' | 'plain' }[];
}

export interface TableBlock {
  name: string;
  /** Whole texts, such as dates, are never broken; numbers are whole by themselves. */
  columns: readonly { name: string; isNumber: boolean; isWhole?: boolean }[];
  rows: readonly (readonly string[])[];
  /** What the table leaves out. */
  note: string | null;
  /** Shown in HTML instead of the rows, which texts and readers without pictures have. */
  picture?: BlockPicture;
}

/** A picture among the attachments. */
export interface BlockPicture {
  contentId: string;
  /** What it shows. */
  alternative: string;
  width: number;
  height: number;
}

export interface TextBlock {
  name: string;
  text: string;
}

/** A text with headings, lists, links and the like. */
export interface MarkdownBlock {
  name: string;
  markdown: string;
}

/**
 * The parts of the mail, with the same words as text and as HTML. It loads nothing, so that reading it cannot be
 * tracked.
 */
export function composed(mail: Mail): { subject: string; text: string; html: string } {
  const { heading, paragraphs, blocks = [], action, notes = [], unsubscribe } = mail;
  const target = action && ('url' in action ? action.url : action.code);
  const act = action ? [`${oneLine(action.label)}:\n${target}`] : [];
  const end = unsubscribe ? [`${oneLine(unsubscribe.label)}:\n${unsubscribe.url}`] : [];
  const title = heading === undefined ? [] : [oneLine(heading)];
  const text = [
    ...title,
    ...paragraphs.map(oneLine),
    ...blocks.map(blockText),
    ...act,
    ...notes.map(oneLine),
    ...end,
  ].join('\n\n');
  const body = [
    ...title.map((each) => `<h1 ${looks('heading')}>${escapeHtml(each)}</h1>`),
    ...paragraphs.map(paragraph),
    blocks.length > 0 ? `<table role="presentation" ${looks('blocks')}>${blocks.map(blockHtml).join('')}</table>` : '',
    action ? actionHtml(action) : '',
    ...notes.map(paragraph),
    unsubscribe
      ? `<p><a href="${escapeHtml(unsubscribe.url)}" ${looks('quiet')}>${line(unsubscribe.label)}</a></p>`
      : '',
  ].join('');
  return {
    subject: oneLine(mail.subject),
    text: `${text}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${DARK_MODE}<title>${line(mail.subject)}</title></head><body ${looks('body')}>${body}</body></html>`,
  };
}

function blockText(block: Block): string {
  if ('value' in block) return figureText(block);
  const indent = 'columns' in block ? '  ' : '';
  return [...titleLines(block), ...linesOf(block).map((each) => `${indent}${each}`)].join('\n');
}

/** Separates the cells of a row in text. */
export const CELL_SEPARATOR = ' · ';

/** The content of the block as text, line by line, without its name. */
export function linesOf(block: Block): string[] {
  if ('value' in block) return [block.value, ...block.lines.map(({ text }) => text)].map(oneLine);
  if ('text' in block) return textLines(block.text);
  if ('markdown' in block) return plainLines(readMarkdown(block.markdown)).map((each) => visibleText(each).trimEnd());
  const { columns, rows, note } = block;
  const lines = rows.map((row) => row.map((cell, at) => `${columns[at]!.name}: ${cell}`).join(CELL_SEPARATOR));
  return [...lines, note ?? ''].filter(Boolean).map(oneLine);
}

const titleLines = ({ name }: { name: string }): string[] => (name ? [`${oneLine(name)}:`] : []);
const textLines = (text: string): string[] => text.split(/\r?\n/).map(oneLine);

function figureText({ name, value, lines }: Figure): string {
  return [`${oneLine(name)}: ${oneLine(value)}`, ...lines.map(({ text }) => `  ${oneLine(text)}`)].join('\n');
}

/** Tables and inline styles are what every mail program shows alike. */
function blockHtml(block: Block): string {
  if ('value' in block) return figureHtml(block);
  const name = block.name ? `<div ${looks('name')}>${line(block.name)}</div>` : '';
  return `<tr><td ${looks('block')}>${name}${contentHtml(block)}</td></tr>`;
}

function contentHtml(block: Exclude<Block, Figure>): string {
  if ('text' in block) return `<div>${textLines(block.text).map(escapeHtml).join('<br>')}</div>`;
  if ('markdown' in block) return textHtml(readMarkdown(block.markdown));
  return block.picture ? pictureHtml(block.picture) : tableHtml(block);
}

function tableHtml({ columns, rows, note }: TableBlock): string {
  // Texts give way to the numbers beside them.
  const align = (at: number) => {
    const { isNumber, isWhole = isNumber } = columns[at]!;
    return `${isNumber ? 'right' : 'left'}${isWhole ? ';white-space:nowrap' : ''}`;
  };
  const cell = (tag: string, look: MailLook) => (text: string, at: number) =>
    `<${tag} ${looks(look, `text-align:${align(at)}`)}>${line(text)}</${tag}>`;
  const head = columns.map(({ name }, at) => cell('th', 'head')(name, at)).join('');
  const body = rows.map((row) => `<tr>${row.map(cell('td', 'cell')).join('')}</tr>`).join('');
  const left = note ? `<div ${looks('quiet')}>${line(note)}</div>` : '';
  return `<table ${looks('rows')}><tr>${head}</tr>${body}</table>${left}`;
}

/** As wide as the mail on a phone; older programs take the width of the attribute. */
const pictureHtml = ({ contentId, alternative, width, height }: BlockPicture): string =>
  `<img src="cid:${escapeHtml(contentId)}" alt="${line(alternative)}" width="${width}" height="${height}" ${looks('picture', `max-width:${width}px`)}>`;

function figureHtml({ name, value, lines }: Figure): string {
  const rows = lines.map(({ text, tone }) => `<div ${looks(tone)}>${line(text)}</div>`);
  return `<tr><td ${looks('block')}><div>${line(name)}</div><div ${looks('value')}>${line(value)}</div>${rows.join('')}</td></tr>`;
}

function actionHtml(action: NonNullable<Mail['action']>): string {
  const label = line(action.label);
  if ('code' in action) return `<p>${label}:</p><p><code ${looks('code')}>${escapeHtml(action.code)}</code></p>`;
  const url = escapeHtml(action.url);
  return `<p><a href="${url}" ${looks('button')}>${label}</a></p><p>Or open this address: <br>${url}</p>`;
}

const line = (text: string): string => escapeHtml(oneLine(text));
const paragraph = (text: string): string => `<p>${line(text)}</p>`;

/** Names are chosen by people: one must not add lines to a mail, nor reverse its text. */
const oneLine = (text: string): string => visibleText(text).trim();

import { escapeHtml } from '../text/escape-html.ts';

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

export type Block = Figure | TableBlock | TextBlock;

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
    ...title.map((each) => `<h1 style="${HEADING}">${escapeHtml(each)}</h1>`),
    ...paragraphs.map(paragraph),
    blocks.length > 0 ? `<table role="presentation" style="${TABLE}">${blocks.map(blockHtml).join('')}</table>` : '',
    action ? actionHtml(action) : '',
    ...notes.map(paragraph),
    unsubscribe
      ? `<p><a href="${escapeHtml(unsubscribe.url)}" style="${QUIET}">${line(unsubscribe.label)}</a></p>`
      : '',
  ].join('');
  return {
    subject: oneLine(mail.subject),
    text: `${text}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${line(mail.subject)}</title></head><body style="${BODY}">${body}</body></html>`,
  };
}

const BODY =
  'margin:0 auto;max-width:36em;padding:1.5em;font:16px/1.5 system-ui,sans-serif;color:#1f2328;background:#ffffff;overflow-wrap:anywhere';
const BUTTON =
  'display:inline-block;padding:0.6em 1.2em;border-radius:6px;background:#0b57d0;color:#ffffff;text-decoration:none;font-weight:600';
const CODE = 'display:block;padding:0.8em;border-radius:6px;background:#f3f4f6;font:14px/1.5 monospace';

const HEADING = 'margin:0 0 0.5em;font-size:20px;line-height:1.3;font-weight:600';
const TABLE = 'width:100%;border-collapse:collapse;margin:1em 0';
const CELL = 'padding:14px 0;border-top:1px solid #d0d7de;vertical-align:top';
const VALUE = 'font-size:26px;line-height:1.3;font-weight:600';
const ROWS = 'width:100%;border-collapse:collapse;margin:6px 0;font-size:13px';
const HEAD = 'padding:4px 8px 4px 0;color:#59636e;font-weight:600;border-bottom:1px solid #d0d7de';
const VALUES = 'padding:4px 8px 4px 0;border-bottom:1px solid #eaeef2';
const PICTURE = 'display:block;width:100%;height:auto;margin:8px 0 0;border:0';
const QUIET = 'color:#59636e;font-size:14px';
const TONES = { good: '#116329', bad: '#a40e26', plain: '#59636e' } as const;

function blockText(block: Block): string {
  if ('value' in block) return figureText(block);
  const indent = 'text' in block ? '' : '  ';
  return [...titleLines(block), ...linesOf(block).map((each) => `${indent}${each}`)].join('\n');
}

/** Separates the cells of a row in text. */
export const CELL_SEPARATOR = ' · ';

/** The content of the block as text, line by line, without its name. */
export function linesOf(block: Block): string[] {
  if ('value' in block) return [block.value, ...block.lines.map(({ text }) => text)].map(oneLine);
  if ('text' in block) return textLines(block.text);
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
  const name = block.name ? `<div style="font-weight:600">${line(block.name)}</div>` : '';
  const content =
    'text' in block
      ? `<div>${textLines(block.text).map(escapeHtml).join('<br>')}</div>`
      : block.picture
        ? pictureHtml(block.picture)
        : tableHtml(block);
  return `<tr><td style="${CELL}">${name}${content}</td></tr>`;
}

function tableHtml({ columns, rows, note }: TableBlock): string {
  // Texts give way to the numbers beside them.
  const align = (at: number) => {
    const { isNumber, isWhole = isNumber } = columns[at]!;
    return `${isNumber ? 'right' : 'left'}${isWhole ? ';white-space:nowrap' : ''}`;
  };
  const cell = (tag: string, style: string) => (text: string, at: number) =>
    `<${tag} style="${style};text-align:${align(at)}">${line(text)}</${tag}>`;
  const head = columns.map(({ name }, at) => cell('th', HEAD)(name, at)).join('');
  const body = rows.map((row) => `<tr>${row.map(cell('td', VALUES)).join('')}</tr>`).join('');
  const left = note ? `<div style="${QUIET}">${line(note)}</div>` : '';
  return `<table style="${ROWS}"><tr>${head}</tr>${body}</table>${left}`;
}

/** As wide as the mail on a phone; older programs take the width of the attribute. */
const pictureHtml = ({ contentId, alternative, width, height }: BlockPicture): string =>
  `<img src="cid:${escapeHtml(contentId)}" alt="${line(alternative)}" width="${width}" height="${height}" style="${PICTURE};max-width:${width}px">`;

function figureHtml({ name, value, lines }: Figure): string {
  const rows = lines.map(({ text, tone }) => `<div style="font-size:14px;color:${TONES[tone]}">${line(text)}</div>`);
  return `<tr><td style="${CELL}"><div>${line(name)}</div><div style="${VALUE}">${line(value)}</div>${rows.join('')}</td></tr>`;
}

function actionHtml(action: NonNullable<Mail['action']>): string {
  const label = line(action.label);
  if ('code' in action) return `<p>${label}:</p><p><code style="${CODE}">${escapeHtml(action.code)}</code></p>`;
  const url = escapeHtml(action.url);
  return `<p><a href="${url}" style="${BUTTON}">${label}</a></p><p>Or open this address: <br>${url}</p>`;
}

const line = (text: string): string => escapeHtml(oneLine(text));
const paragraph = (text: string): string => `<p>${line(text)}</p>`;

/** Names are chosen by people: one must not add lines to a mail, nor reverse its text. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

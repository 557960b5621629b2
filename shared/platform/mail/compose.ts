/** A mail as short paragraphs, with one thing to do. Texts may be anything: they are escaped. */
export interface Mail {
  subject: string;
  paragraphs: readonly string[];
  /** A link to follow, or a code to enter. */
  action?: { label: string; url: string } | { label: string; code: string };
  /** Paragraphs after the action. */
  notes?: readonly string[];
}

/** The parts of the mail, with the same words as text and as HTML. It loads nothing, so that reading it cannot be tracked. */
export function composed(mail: Mail): { subject: string; text: string; html: string } {
  const { paragraphs, action, notes = [] } = mail;
  const target = action && ('url' in action ? action.url : action.code);
  const act = action ? [`${oneLine(action.label)}:\n${target}`] : [];
  const text = [...paragraphs.map(oneLine), ...act, ...notes.map(oneLine)].join('\n\n');
  const body = [...paragraphs.map(paragraph), ...(action ? [actionHtml(action)] : []), ...notes.map(paragraph)].join(
    '',
  );
  return {
    subject: oneLine(mail.subject),
    text: `${text}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(oneLine(mail.subject))}</title></head><body style="${BODY}">${body}</body></html>`,
  };
}

const BODY =
  'margin:0 auto;max-width:36em;padding:1.5em;font:16px/1.5 system-ui,sans-serif;color:#1f2328;background:#ffffff;overflow-wrap:anywhere';
const BUTTON =
  'display:inline-block;padding:0.6em 1.2em;border-radius:6px;background:#0b57d0;color:#ffffff;text-decoration:none;font-weight:600';
const CODE = 'display:block;padding:0.8em;border-radius:6px;background:#f3f4f6;font:14px/1.5 monospace';

function actionHtml(action: NonNullable<Mail['action']>): string {
  const label = escapeHtml(oneLine(action.label));
  if ('code' in action) return `<p>${label}:</p><p><code style="${CODE}">${escapeHtml(action.code)}</code></p>`;
  const url = escapeHtml(action.url);
  return `<p><a href="${url}" style="${BUTTON}">${label}</a></p><p>Or open this address: <br>${url}</p>`;
}

const paragraph = (text: string): string => `<p>${escapeHtml(oneLine(text))}</p>`;

/** Names are chosen by people: one must not add lines to a mail, nor reverse its text. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark]!);

import type { Mail } from './mails.ts';

/** Paths of the page; see `inbox.ts`. */
export const INBOX = '/_local/inbox';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: anywhere; }
  h1 { font-size: 1.4rem; margin: 0.5rem 0; }
  a { color: LinkText; }
  ul { list-style: none; padding: 0; }
  li a { display: block; padding: 0.75rem 0.5rem; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-decoration: none; color: inherit; }
  li a:hover, li a:focus { background: color-mix(in srgb, currentColor 8%, transparent); }
  .subject { font-weight: 600; }
  .quiet, dt { opacity: 0.7; font-size: 0.9rem; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: 1rem 0; }
  dd { margin: 0; }
  h2 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
  pre { white-space: pre-wrap; font: inherit; padding: 1rem; margin: 0; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.5rem; }
  iframe { width: 100%; height: 32rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.5rem; background: white; box-sizing: border-box; }
`;

export function inboxPage(mails: readonly Mail[]): string {
  const items = mails.map(
    (
      mail,
    ) => `<li><a href="${INBOX}/${mail.id}"><span class="subject">${escapeHtml(mail.subject) || '(no subject)'}</span>
      <br><span class="quiet">to ${escapeHtml(mail.to.join(', '))} · <time>${escapeHtml(mail.sentAt)}</time></span></a></li>`,
  );
  const list = items.length > 0 ? `<ul>${items.join('')}</ul>` : '<p>No email has been sent yet.</p>';
  return page(
    'Mails',
    `<h1>Mails</h1><p class="quiet">What this deployment would have sent. Nothing leaves the machine.</p>${list}`,
  );
}

export function mailPage(mail: Mail): string {
  const rows: [string, string][] = [
    ['From', mail.from],
    ['To', mail.to.join(', ')],
    ['Cc', mail.cc.join(', ')],
    ['Bcc', mail.bcc.join(', ')],
    ['Reply to', mail.replyTo.join(', ')],
    ['Sent', mail.sentAt],
    [
      'Files',
      (mail.attachments ?? [])
        .filter(({ contentId }) => contentId === undefined)
        .map(({ fileName, bytes }) => `${fileName} (${bytes} bytes)`)
        .join(', '),
    ],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const details = shown.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  const text = mail.text === null ? '' : `<h2>Text</h2><pre>${withLinks(mail.text)}</pre>`;
  // The content of a mail is not trusted: the frame has an origin of its own, and runs and loads nothing.
  const html =
    mail.html === null
      ? ''
      : `<h2>HTML</h2><iframe sandbox title="The mail as HTML" src="${INBOX}/${mail.id}/html"></iframe>`;
  return page(
    mail.subject,
    `<p><a href="${INBOX}">All emails</a></p><h1>${escapeHtml(mail.subject)}</h1><dl>${details}</dl>${text}${html}`,
  );
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;

/** Web addresses become links; everything is escaped. */
const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) =>
      index % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}" rel="noreferrer">${escapeHtml(part)}</a>`,
    )
    .join('');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark]!);

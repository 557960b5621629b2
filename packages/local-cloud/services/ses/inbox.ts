import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnOrigin } from '../../core/access/addresses.ts';
import { INBOX, inboxPage, mailPage } from './inbox-page.ts';
import type { Mail, Mails } from './mails.ts';

const LIST = '/_local/mails';
const MAX_LISTED = 100;

/**
 * The pages run no script and load nothing but the frame with the mail, which is sandboxed by its own reply as well.
 */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'";
const MAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/**
 * Answers requests for the sent mails: `/_local/mails` as JSON, `/_local/inbox` as pages. Returns false for any other
 * request.
 */
export function serveInbox(mails: Mails, message: IncomingMessage, response: ServerResponse): boolean {
  const [path = '', query = ''] = (message.url ?? '').split('?');
  if (path !== LIST && path !== INBOX && !path.startsWith(`${INBOX}/`)) return false;
  const { origin } = message.headers;
  if (origin !== undefined && !isOwnOrigin(origin)) {
    json(response, 403, { message: `Pages of ${origin} get no answer.` });
  } else if (message.method !== 'GET') {
    json(response, 405, { message: `${path} is read with GET.` });
  } else if (path === LIST) {
    const found = mails.list(new URLSearchParams(query).get('to') ?? undefined);
    json(response, 200, { items: found.slice(0, MAX_LISTED), total: found.length });
  } else if (path === INBOX) {
    html(response, inboxPage(mails.list().slice(0, MAX_LISTED)), PAGE_POLICY);
  } else {
    serveMail(mails, path.slice(INBOX.length + 1), response);
  }
  return true;
}

function serveMail(mails: Mails, rest: string, response: ServerResponse): void {
  const [id = '', part] = rest.split('/');
  const mail = mails.find(id);
  if (!mail || (part !== undefined && part !== 'html')) json(response, 404, { message: 'There is no such mail.' });
  else if (part === undefined) html(response, mailPage(mail), PAGE_POLICY);
  else html(response, withPictures(mail), MAIL_POLICY);
}

/** The HTML of the mail with its own pictures, as mail programs show it. */
function withPictures({ html: content, attachments = [] }: Mail): string {
  const pictures = new Map(
    attachments.map((each) => [each.contentId, `data:${each.contentType};base64,${each.content}`]),
  );
  return (content ?? '').replaceAll(/(?<=src=")cid:([^"]+)/g, (found, id: string) => pictures.get(id) ?? found);
}

function html(response: ServerResponse, content: string, policy: string): void {
  reply(response, 200, content, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  reply(response, status, JSON.stringify(body), { 'content-type': 'application/json' });
}

function reply(response: ServerResponse, status: number, content: string, headers: Record<string, string>): void {
  const bytes = Buffer.from(content);
  response.writeHead(status, {
    ...headers,
    ...{ 'content-length': bytes.length, 'cache-control': 'no-store' },
    ...{ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
  });
  response.end(bytes);
}

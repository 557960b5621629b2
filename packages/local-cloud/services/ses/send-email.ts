import type { RestRoute } from '../../core/rest-json.ts';
import type { CloudContext } from '../../core/service.ts';
import { badRequest, rejected } from './errors.ts';
import type { MailAttachment, Mails } from './mails.ts';

const MAX_RECIPIENTS = 50;
/** AWS's limit for a whole message. */
const MAX_BYTES = 40 * 1024 * 1024;

interface Text {
  Data?: string;
  Charset?: string;
}

interface Attachment {
  FileName?: string;
  ContentType?: string;
  ContentDisposition?: string;
  ContentId?: string;
  /** Base64, as blobs are in JSON. */
  RawContent?: string;
}

interface SendEmailInput {
  FromEmailAddress?: string;
  Destination?: { ToAddresses?: string[]; CcAddresses?: string[]; BccAddresses?: string[] };
  ReplyToAddresses?: string[];
  Content?: {
    Simple?: {
      Subject?: Text;
      Body?: { Text?: Text; Html?: Text };
      Headers?: { Name?: string; Value?: string }[];
      Attachments?: Attachment[];
    };
  };
}

/** A mail with a subject and a body of text, HTML or both. Raw mails and templates are rejected by name. */
export function sendEmailRoute({ clock }: Pick<CloudContext, 'clock'>, mails: Mails): RestRoute {
  return {
    operation: 'SendEmail',
    method: 'POST',
    path: '/v2/email/outbound-emails',
    members: ['FromEmailAddress', 'Destination', 'ReplyToAddresses', 'Content'],
    structures: {
      Destination: ['ToAddresses', 'CcAddresses', 'BccAddresses'],
      Content: ['Simple'],
      'Content.Simple': ['Subject', 'Body', 'Headers', 'Attachments'],
      'Content.Simple.Attachments[]': [
        ...['FileName', 'ContentType', 'ContentDisposition', 'ContentTransferEncoding', 'ContentId', 'RawContent'],
      ],
      'Content.Simple.Subject': ['Data', 'Charset'],
      'Content.Simple.Body': ['Text', 'Html'],
      'Content.Simple.Body.Text': ['Data', 'Charset'],
      'Content.Simple.Body.Html': ['Data', 'Charset'],
    },
    resource: ({ FromEmailAddress }: SendEmailInput) => FromEmailAddress,
    run: (input: SendEmailInput) => ({ MessageId: mails.add(mailOf(input, clock.now())) }),
  };
}

function mailOf(input: SendEmailInput, now: number): Parameters<Mails['add']>[0] {
  const { ToAddresses: to = [], CcAddresses: cc = [], BccAddresses: bcc = [] } = input.Destination ?? {};
  const { FromEmailAddress: from, ReplyToAddresses: replyTo = [] } = input;
  if (from === undefined) throw badRequest('From email address is missing.');
  const recipients = [...to, ...cc, ...bcc];
  if (recipients.length === 0) throw badRequest('Destination must contain at least one recipient.');
  if (recipients.length > MAX_RECIPIENTS) throw badRequest(`Recipient count exceeds ${MAX_RECIPIENTS}.`);
  for (const address of [from, ...recipients, ...replyTo]) checkAddress(address);
  const unverified = recipients.filter((address) => bareOf(address).endsWith(UNVERIFIED));
  if (unverified.length > 0) throw rejected(unverified);
  const { Subject, Body, Headers = [], Attachments = [] } = input.Content?.Simple ?? {};
  if (Subject?.Data === undefined) throw badRequest('Missing required header: Subject.');
  if (Body?.Text?.Data === undefined && Body?.Html?.Data === undefined) throw badRequest('Body must not be empty.');
  if (/[\r\n]/.test(Subject.Data)) throw badRequest('Header Subject contains illegal characters.');
  const [text = null, html = null] = [Body.Text?.Data, Body.Html?.Data];
  const attachments = Attachments.map(attachmentOf);
  const encodedBytes = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (Buffer.byteLength(`${text ?? ''}${html ?? ''}`) + encodedBytes > MAX_BYTES)
    throw badRequest('Message length exceeds the limit.');
  const subject = Subject.Data;
  const mail = { sentAt: new Date(now).toISOString(), from, to, cc, bcc, replyTo, subject, text, html };
  return {
    ...mail,
    ...(Headers.length > 0 && { headers: headersOf(Headers) }),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** AWS rejects files that mail programs run; their extensions are the most common ones of its list. */
const UNSUPPORTED = /\.(bat|cmd|com|cpl|dll|exe|hta|jar|js|lnk|msi|ps1|scr|vbs|wsf)$/i;

function attachmentOf(attachment: Attachment): MailAttachment {
  const { FileName, ContentType = 'application/octet-stream', ContentDisposition, ContentId, RawContent } = attachment;
  if (!FileName || FileName.length > 255 || /[\r\n]/.test(FileName))
    throw badRequest('Attachment file name is invalid.');
  if (RawContent === undefined) throw badRequest(`Attachment ${FileName} has no content.`);
  if (UNSUPPORTED.test(FileName)) throw badRequest(`Attachment ${FileName} has an unsupported file extension.`);
  if (ContentId !== undefined && (ContentDisposition !== 'INLINE' || !/^[!-;=?-~]{1,78}$/.test(ContentId)))
    throw badRequest(`Attachment ${FileName} has an invalid content id.`);
  const content = Buffer.from(RawContent, 'base64');
  return {
    ...(ContentId !== undefined && { contentId: ContentId }),
    ...{ fileName: FileName, contentType: ContentType, bytes: content.length, content: content.toString('base64') },
  };
}

/** Names and values within AWS's limits, so that a mail program understands them. */
function headersOf(headers: readonly { Name?: string; Value?: string }[]): Record<string, string> {
  for (const { Name = '', Value = '' } of headers) {
    if (!/^[!-9;-~]{1,126}$/.test(Name)) throw badRequest(`Header name is invalid: ${Name}`);
    if (!/^[\x20-\x7e]{1,870}$/.test(Value)) throw badRequest(`Header value is invalid: ${Name}`);
  }
  return Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value]));
}

/** Recipients here are rejected as AWS rejects those that an account in the sandbox has not verified. */
const UNVERIFIED = '@unverified.example';

const bareOf = (address: string): string => /^[^<>]*<([^<>]*)>$/.exec(address)?.[1] ?? address;

/** `ada@example.com` or `Ada <ada@example.com>`; names with other characters must be encoded. */
function checkAddress(address: string): void {
  if (!/^[\x20-\x7e]+$/.test(address)) throw badRequest(`Local address contains control or whitespace: ${address}`);
  if (!/^[^\s@]+@[^\s@]+$/.test(bareOf(address))) throw badRequest(`Missing final '@domain' in ${address}`);
}

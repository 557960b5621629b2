import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { type Attachment, composed, type Mail } from './compose.ts';

export interface Mailer {
  /**
   * Hands the mail to SES. Throws `MailRefused` if SES will never take it, and other errors if it does not take it now.
   */
  send(to: string, mail: Mail): Promise<void>;
}

/** SES does not take this mail: the address is not valid, or SES does not send to it. */
export class MailRefused extends Error {}

/** Sends mails from an address such as `Analytics <no-reply@example.com>`, whose domain is an identity of SES. */
export function mailer(from: string): Mailer {
  let client: SESv2Client | undefined;
  return {
    async send(to, mail) {
      client ??= new SESv2Client({});
      const { subject, text, html } = composed(mail);
      const content = (Data: string) => ({ Data, Charset: 'UTF-8' });
      const sending = client.send(
        new SendEmailCommand({
          FromEmailAddress: from,
          Destination: { ToAddresses: [to] },
          Content: {
            Simple: {
              Subject: content(subject),
              Body: { Text: content(text), Html: content(html) },
              ...(mail.attachments?.length && { Attachments: mail.attachments.map(attachmentOf) }),
              ...(mail.unsubscribe && { Headers: unsubscribeHeaders(mail.unsubscribe.url) }),
            },
          },
        }),
      );
      await sending.catch((cause: unknown) => {
        const isRefused = cause instanceof BadRequestException || cause instanceof MessageRejected;
        throw isRefused ? new MailRefused(cause.name, { cause }) : cause;
      });
    },
  };
}

/** SES encodes the content itself. */
const attachmentOf = ({ contentId, fileName, contentType, content }: Attachment) => ({
  FileName: fileName,
  ContentType: contentType,
  ...(contentId === undefined
    ? { ContentDisposition: 'ATTACHMENT' as const }
    : { ContentDisposition: 'INLINE' as const, ContentId: contentId }),
  ContentTransferEncoding: 'BASE64' as const,
  RawContent: content,
});

const unsubscribeHeaders = (url: string) => [
  { Name: 'List-Unsubscribe', Value: `<${url}>` },
  { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
];

/**
 * The domain of a sender; undefined if the text is no sender: `no-reply@example.com` or `Analytics
 * <no-reply@example.com>`.
 */
export function senderDomain(from: string): string | undefined {
  const bare = /^[\w .-]*<([^<>]+)>$/.exec(from)?.[1] ?? from;
  return /^[^\s@<>"(),:;[\\\]]+@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i.exec(bare)?.[1]?.toLowerCase();
}

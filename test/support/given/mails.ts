import { expect, vi } from 'vitest';
import type { Api } from '../api.ts';

export interface SentMail {
  id: string;
  from: string;
  to: string[];
  subject: string;
  headers?: Record<string, string>;
  text: string;
  html: string;
  attachments?: { contentId?: string; fileName: string; contentType: string; bytes: number; content: string }[];
}

/** The mails that an address got, newest first. */
export async function mailsTo(api: Api, email: string): Promise<SentMail[]> {
  const reply = await fetch(`${api.endpoint}/_local/mails?to=${encodeURIComponent(email)}`);
  return ((await reply.json()) as { items: SentMail[] }).items;
}

/** The newest mail to an address, once it has got as many. */
export async function mailTo(api: Api, email: string, count = 1): Promise<SentMail> {
  await vi.waitFor(async () => expect(await mailsTo(api, email)).toHaveLength(count), {
    timeout: 60_000,
    interval: 100,
  });
  return (await mailsTo(api, email))[0]!;
}

/** The token in the link of a mail. */
export const tokenIn = ({ text }: SentMail): string => /#token=(\S+)/.exec(text)![1]!;

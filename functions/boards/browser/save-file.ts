import { el } from './dom.ts';

/** Saves a reply that is the file, or a link to it. */
export async function saveFile(reply: Response): Promise<void> {
  if (reply.headers.get('content-type')?.startsWith('application/json')) {
    const { downloadUrl } = (await reply.json()) as { downloadUrl: string };
    return el('a', { href: downloadUrl, download: true, rel: 'noopener' }).click();
  }
  const address = URL.createObjectURL(await reply.blob());
  el('a', { href: address, download: nameOf(reply) }).click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function nameOf({ headers }: Response): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '')?.[1];
  return encoded === undefined ? 'rows.csv' : decodeURIComponent(encoded);
}

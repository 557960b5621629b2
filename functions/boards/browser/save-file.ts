import { el } from './dom.ts';

/** Saves what a link leads to. The page stays, so readers are not asked about unsaved changes. */
export const saveLink = (url: string): void => el('a', { href: url, download: true, rel: 'noopener' }).click();

/** Saves bytes of this page as a file of the person. */
export function saveBlob(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  el('a', { href: address, download: name.replaceAll(/[\\/:*?"<>|]/g, '-') }).click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Saves a reply that is the file, or a link to it. */
export async function saveFile(reply: Response, name = nameOf(reply)): Promise<void> {
  if (reply.headers.get('content-type')?.startsWith('application/json'))
    return saveLink(((await reply.json()) as { downloadUrl: string }).downloadUrl);
  saveBlob(await reply.blob(), name);
}

function nameOf({ headers }: Response): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '')?.[1];
  return encoded === undefined ? 'rows.csv' : decodeURIComponent(encoded);
}

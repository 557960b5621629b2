import { text } from 'node:stream/consumers';
import { getDocumentProxy } from 'unpdf';
import { fromBuffer } from 'yauzl';

/** The entries of a ZIP archive as texts, by their names. */
export function zipTexts(bytes: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (error, zip) => {
      if (!zip) return reject(error);
      const texts: Record<string, string> = {};
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, (failed, stream) => {
          if (!stream) return reject(failed);
          text(stream).then((content) => {
            texts[entry.fileName] = content;
            zip.readEntry();
          }, reject);
        }),
      );
      zip.once('end', () => resolve(texts)).once('error', reject);
      zip.readEntry();
    });
  });
}

export const zipText = async (bytes: Buffer): Promise<string> =>
  Object.entries(await zipTexts(bytes))
    .map((entry) => entry.join('\n'))
    .join('\n');

export interface PdfPage {
  text: string;
  /** The roles of its structure, with the alternative texts. */
  roles: { role: string; alt?: string }[];
}

/** What a reader of PDF finds on each page. */
export async function pdfPages(bytes: Buffer): Promise<{ pages: PdfPage[]; title: string; language: string }> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  try {
    const pages: PdfPage[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const words = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
      pages.push({ text: words.join(''), roles: rolesOf((await page.getStructTree()) as StructNode | null) });
    }
    const { info } = (await document.getMetadata()) as { info: { Title?: string; Language?: string } };
    return { pages, title: info.Title ?? '', language: info.Language ?? '' };
  } finally {
    await document.cleanup();
  }
}

export const pdfText = async (bytes: Buffer): Promise<string> =>
  (await pdfPages(bytes)).pages.flatMap(({ text: words, roles }) => [words, JSON.stringify(roles)]).join('\n');

interface StructNode {
  role?: string;
  alt?: string;
  children?: StructNode[];
}

function rolesOf(node: StructNode | null): PdfPage['roles'] {
  if (!node?.role) return [];
  const own = node.alt === undefined ? { role: node.role } : { role: node.role, alt: node.alt };
  return [own, ...(node.children ?? []).flatMap(rolesOf)];
}

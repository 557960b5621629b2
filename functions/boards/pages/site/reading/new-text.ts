import { pageOf } from '../page-parts.ts';

const TEXTS = '[id^="block-"]:not(.live, .image)';

/**
 * Replaces the texts of a section by those of the page as it is now. Its live blocks keep their rows. If the page
 * cannot be read, the text stays as it was.
 */
export async function showNewText(sectionId: string): Promise<void> {
  const reply = await fetch(location.href).catch(() => undefined);
  if (!reply?.ok) return;
  // The head has a style sheet with another nonce, which the policy of this page would report.
  const [content = ''] = /<main[\s\S]*<\/main>/.exec(await reply.text()) ?? [];
  const next = pageOf(content).getElementById(`section-${sectionId}`);
  for (const block of document.querySelectorAll(`#section-${sectionId} > ${TEXTS}`)) {
    const now = next?.querySelector(`:scope > #${CSS.escape(block.id)}`);
    if (now && now.innerHTML !== block.innerHTML) block.replaceWith(document.adoptNode(now));
  }
}

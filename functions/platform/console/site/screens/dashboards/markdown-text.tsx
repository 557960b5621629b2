import { useEffect, useRef } from 'preact/hooks';

/** The parser is loaded with the first text. */
const loadParser = () => import('../../../../../boards/browser/markdown.ts');

/** The Markdown of a card. Until its parser is here, and if it cannot be loaded, the text is shown as it was typed. */
export function MarkdownText({ text, level }: { text: string; level: number }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isCurrent = true;
    loadParser().then(
      ({ markdownNodes }) => isCurrent && place.current!.replaceChildren(markdownNodes(text, level)),
      () => isCurrent && place.current!.replaceChildren(text),
    );
    return () => {
      isCurrent = false;
    };
  }, [text, level]);
  return <div class="text" ref={place} />;
}

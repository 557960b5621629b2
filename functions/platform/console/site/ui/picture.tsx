import { useEffect, useRef } from 'preact/hooks';
import { pictureOf } from '../../../../boards/browser/picture.ts';

/** A chart that the API has drawn, as wide as its place. */
export function Picture({ svg, label }: { svg: string; label: string }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const picture = pictureOf(svg);
    for (const part of [picture, ...picture.querySelectorAll('[role], [aria-label]')]) {
      for (const name of [...part.getAttributeNames()]) if (/^(role|aria-)/.test(name)) part.removeAttribute(name);
    }
    frame.current!.replaceChildren(picture);
  }, [svg]);
  return <div class="picture" role="img" aria-label={label} ref={frame} />;
}

import { type ComponentChild, render } from 'preact';
import { useEffect } from 'preact/hooks';

/** Renders into an element of the text, which belongs to the editor and not to the page. */
export function Portal({ place, children }: { place: HTMLElement; children: ComponentChild }) {
  useEffect(() => {
    render(children, place);
  });
  useEffect(() => () => render(null, place), [place]);
  return null;
}

import { Slice } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import { schema } from './schema.ts';

/** Between texts of this browser. Other programs get and give plain text: the page reads no markup as text. */
const OWN = 'application/x-story';

export function copied(view: EditorView, event: ClipboardEvent, { isCut }: { isCut: boolean }): boolean {
  const { selection } = view.state;
  if (selection.empty || !event.clipboardData) return false;
  event.preventDefault();
  const slice = selection.content();
  event.clipboardData.setData(OWN, JSON.stringify(slice.toJSON()));
  event.clipboardData.setData('text/plain', slice.content.textBetween(0, slice.content.size, '\n\n', '\n'));
  if (isCut) view.dispatch(view.state.tr.deleteSelection().scrollIntoView());
  return true;
}

export function pasted(view: EditorView, event: ClipboardEvent): boolean {
  if (!event.clipboardData) return false;
  event.preventDefault();
  const slice = ownSlice(event.clipboardData.getData(OWN));
  if (slice) {
    view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView());
    return true;
  }
  view.pasteText(event.clipboardData.getData('text/plain'), event);
  return true;
}

function ownSlice(text: string): Slice | undefined {
  if (!text) return undefined;
  try {
    return Slice.fromJSON(schema, JSON.parse(text));
  } catch {
    // From another version of the console.
    return undefined;
  }
}

import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Forms that save something; those in dialogs are left by their buttons alone. */
const FORMS = 'form.form, form.alert-form';
/** What a form shows after it was sent in vain. */
const REFUSED = '[aria-invalid], .issue-box[role=alert]';
/** What a form shows instead of its button once another person has changed its record. */
const ANSWERS = '.changed button';

/** Forms that a person has entered something into since they were sent, and those that were sent. */
const entered = new Set<Element>();
const sent = new Set<Element>();

interface Editor {
  /** What it is lost with; without it, the screen alone. */
  within: RefObject<Element | null> | undefined;
}
const editors = new Set<Editor>();

/** Whether anything was entered and not saved, on the page or in a part of it. */
export function hasUnsaved(part: Node = document): boolean {
  for (const forms of [entered, sent]) for (const form of forms) if (!form.isConnected) forms.delete(form);
  const isIn = (element: Element | null | undefined) =>
    part === document || (element != null && part.contains(element));
  return (
    [...entered].some(isIn) ||
    [...sent].some((form) => isIn(form) && form.querySelector(REFUSED) !== null) ||
    [...editors].some(({ within }) => isIn(within?.current))
  );
}

/** Notes what people enter into the forms of the page. */
export function watchForms(): () => void {
  const onInput = ({ target }: Event) => {
    const form = target instanceof Element && !target.matches('[type=search]') ? target.closest(FORMS) : null;
    if (form) entered.add(form);
  };
  const send = (form: Element | null) => {
    if (form && entered.delete(form)) sent.add(form);
  };
  const onSubmit = ({ target }: Event) => send(target as Element);
  const onClick = ({ target }: Event) => {
    if (target instanceof Element && target.closest(ANSWERS)) send(target.closest(FORMS));
  };
  const onUnload = (event: BeforeUnloadEvent) => {
    if (hasUnsaved()) event.preventDefault();
  };
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  addEventListener('input', onInput, options);
  addEventListener('submit', onSubmit, options);
  addEventListener('click', onClick, options);
  addEventListener('beforeunload', onUnload, options);
  return () => stop.abort();
}

/** Of an editor that is no form: whether its text is not saved yet. It is lost with `within`, such as a tab. */
export function useUnsaved(isUnsaved: boolean, within?: RefObject<Element | null>): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const editor = { within };
    editors.add(editor);
    return () => {
      editors.delete(editor);
    };
  }, [isUnsaved, within]);
}

/** What waits until the person agrees to lose what is not saved. */
export const askedToLeave = signal<(() => void) | undefined>(undefined);

/** Leaves what is shown, or a part of it; first asks whether to lose what is not saved there. */
export function leave(go: () => void, part?: Node | null): void {
  if (hasUnsaved(part ?? document)) askedToLeave.value = go;
  else go();
}

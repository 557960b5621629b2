import { byId } from '../../browser/dom.ts';

/** Shows an error below the form of the page; none if there is no error. */
export function say(error?: unknown): void {
  const text = error instanceof Error ? error.message : 'The server cannot be reached.';
  byId('issue')!.textContent = error === undefined ? '' : text;
}

/** Runs the step of the form when it is valid, once at a time. */
export function onSubmit(form: HTMLFormElement, button: HTMLButtonElement, run: () => Promise<void>): void {
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    button.disabled = true;
    say();
    await run().catch(say);
    button.disabled = false;
  };
}

import { call } from '../api.ts';

/** A number within the text, as it stands for the reader. */
interface Value {
  id: string;
  now: string;
  changed: boolean;
  reason: string | null;
}

/** Why there is no value. What does not exist and what the reader may not see look the same. */
const REASONS: Record<string, string> = {
  NO_ACCESS: 'You may not see this value.',
  SOURCE_NOT_FOUND: 'The source of this value does not exist, or you may not see it.',
  ROW_NOT_FOUND: 'The row of this value does not exist, or you may not see it.',
  NO_VALUE: 'There is no value.',
  TOO_MANY: 'This story has too many values to show them all.',
  SNAPSHOT_OTHER_RIGHTS: 'This value is kept only for people with the rights of its publisher.',
};
const UNAVAILABLE = 'This value is not available at present.';

/** Shows the numbers of the text as they stand for the reader. If they cannot be read, the text stays as written. */
export async function showValues({ storyId, view }: { storyId: string; view: 'draft' | 'published' }): Promise<void> {
  if (!document.querySelector('[data-value]')) return;
  const reply = await call('GET', `/api/stories/${storyId}?view=${view}`).catch(() => undefined);
  const story = (await reply?.json().catch(() => undefined)) as
    | { sections: { id: string; values?: Value[] }[] }
    | undefined;
  for (const { id, values = [] } of story?.sections ?? []) {
    const known = new Map(values.map((value) => [value.id, value]));
    for (const element of document.querySelectorAll<HTMLElement>(`#section-${id} [data-value]`)) {
      const value = known.get(element.dataset.value!);
      if (value) showValue(element, value);
    }
  }
}

function showValue(element: HTMLElement, { now, changed, reason }: Value): void {
  const written = element.textContent;
  // Comments quote what was written.
  element.dataset.written = written;
  element.textContent = now;
  element.classList.toggle('changed', changed);
  if (reason !== null) element.title = REASONS[reason] ?? UNAVAILABLE;
  else if (changed) element.title = `Written as ${written}; now ${now}`;
}

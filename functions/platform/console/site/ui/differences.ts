export interface Difference {
  /** What the form calls the member. */
  label: string;
  theirs: string;
  mine: string;
}

/** How a member is called, and, if its value is not a text or a number, how it is written. */
type Labels = Readonly<Record<string, string | { label: string; write: (value: never) => string }>>;

const MAX = 300;

/** In which of the labelled members two versions of a record differ, as people read it. */
export function differencesOf(theirs: object, mine: object, labels: Labels): Difference[] {
  return Object.entries(labels).flatMap(([member, known]) => {
    const { label, write } = typeof known === 'string' ? { label: known, write: writtenPlainly } : known;
    const values = [theirs, mine].map((each) => (each as Record<string, unknown>)[member]);
    if (canonical(values[0]) === canonical(values[1])) return [];
    const [one, other] = values.map((value) => write(value as never)) as [string, string];
    return [{ label, theirs: one, mine: other }];
  });
}

function writtenPlainly(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX ? `${text.slice(0, MAX)}…` : text;
}

/** The same text for values that are the same: members in any order, and absent ones as null. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

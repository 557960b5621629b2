/** What people read in the place of sentences that are only about requests. */
const SENTENCES: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'Some values are not valid.',
  METRIC_STALE: 'The metric no longer fits its model. Correct the metric or the model.',
  PRECONDITION_FAILED: 'Another person has changed this in the meantime. Reload the page and try again.',
  PIPELINE_CHANGED: 'Another person has changed the pipeline in the meantime. Reload the page and try again.',
  STALE_WRITE: 'Another change was saved at the same time. Try again.',
  CURSOR_EXPIRED: 'The list is more than a day old. Reload the page.',
  CDC_STREAM_ID_TAKEN: 'The source already has a stream with this name. Choose a different one.',
  PIPELINE_PAUSED: 'The pipeline is paused. Resume it first.',
  INTERNAL: 'Something went wrong on our side. Try again; if it persists, report the number of the request.',
};

interface Described {
  code: string;
  /** The meaning of the code. */
  title: string;
  /** What went wrong in particular, or the title again. */
  detail: string;
}

/**
 * The sentence of a problem for people. The API also says which operation to call and which members of the reply to
 * read; people see buttons and lists instead.
 */
export function problemSentence({ code, title, detail }: Described): string {
  if (detail !== title) return detail;
  const known = SENTENCES[code];
  if (known) return known;
  const [first = '', ...others] = detail
    .replaceAll(/ with (GET|POST|PUT|PATCH|DELETE) (?:\/api|…)\/[^\s,;:]*(?<!\.)/g, '')
    .replaceAll(/after the time in Retry-After/g, 'later')
    .replaceAll(/[Ww]ait for the time in Retry-After/g, 'Try again later')
    .split(/(?<=[.?!])\s+(?=[A-Z`])/);
  return [first, ...others.filter((sentence) => !IS_FOR_PROGRAMS.test(sentence))].join(' ');
}

/** Names a member of a reply or an operation, or asks for a list that is on the screen. */
const IS_FOR_PROGRAMS = /`|\/api\/|^List /;

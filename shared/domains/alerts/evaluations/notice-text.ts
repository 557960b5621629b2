import { numberText } from '../../../platform/text/number-text.ts';
import type { Operator, Threshold } from '../conditions/index.ts';
import type { AlertNotice } from '../rules/index.ts';

const WORDS: Readonly<Record<Operator, string>> = {
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  eq: 'equal to',
  ne: 'other than',
  between: 'between',
  outside: 'outside',
  increases_by: 'an increase of at least',
  decreases_by: 'a decrease of at least',
  changes_by: 'a change of at least',
  unusual: 'unusual',
  is_behind_target: 'behind its target',
};

/** What a notice says, and about whose rows. */
export function noticeText(notice: AlertNotice, isHidden: boolean): string {
  const text = edgeText(notice, isHidden);
  return notice.rowsOf === null || isHidden ? text : `${text} These are the rows that ${notice.rowsOf} may see.`;
}

function edgeText(notice: AlertNotice, isHidden: boolean): string {
  const { edge, group, error } = notice;
  const of = group === '' || isHidden ? '' : ` (${group})`;
  switch (edge) {
    case 'error':
      return `The condition cannot be evaluated: ${error?.message ?? 'The source cannot be read.'}`;
    case 'error_over':
      return 'The condition can be evaluated again.';
    case 'no_data':
      return `There is no value${of}.`;
    case 'data_back':
      return `There are values again${of}.`;
    case 'recover':
      return `It is back to normal${of}${valuePart(notice, isHidden)}.`;
    case 'woke':
      return wokeText(notice, isHidden);
    case 'repeat':
      return `The condition is still met${of}${valuePart(notice, isHidden)}.`;
    default:
      return `It fired${of}${valuePart(notice, isHidden)}.`;
  }
}

/** What happened during a snooze, and how it is now. */
function wokeText(notice: AlertNotice, isHidden: boolean): string {
  const asleep = 'While it was snoozed,';
  if (isHidden) return `${asleep} it fired${valuePart(notice, isHidden)}.`;
  const { silenced, state, group, value } = notice;
  const of = group === '' ? '' : ` (${group})`;
  const happened = [
    ...timesText('fired', silenced?.fires ?? 0),
    ...timesText('recovered', silenced?.recovers ?? 0),
  ].join(' and ');
  const first = happened === '' ? `${asleep} the condition was still met${of}` : `${asleep} it ${happened}${of}`;
  if (state === 'ok' || state === 'unknown') return `${first}. It is back to normal.`;
  return `${first}${value === null ? '' : valuePart(notice, isHidden)}.`;
}

const timesText = (verb: string, times: number): string[] =>
  times === 0 ? [] : [`${verb} ${times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`}`];

function valuePart({ value, condition, edge }: AlertNotice, isHidden: boolean): string {
  if (isHidden) return '. You may no longer see its value';
  if (value === null) return ': there is no value';
  const shown = `: the value is ${numberText(value)}`;
  return edge === 'recover' ? shown : `${shown}, which is ${conditionText(condition)}`;
}

function conditionText({ operator, threshold, compare }: AlertNotice['condition']): string {
  if (operator === 'unusual' || operator === 'is_behind_target') return WORDS[operator];
  if (threshold !== undefined && typeof threshold === 'object' && !Array.isArray(threshold))
    return `${WORDS[operator]} the target`;
  const bounds = [(threshold ?? 0) as Threshold]
    .flat()
    .map((bound) => numberText(bound))
    .join(' and ');
  const unit = operator.endsWith('_by') && compare?.unit !== 'absolute' ? '%' : '';
  return `${WORDS[operator]} ${bounds}${unit}`;
}

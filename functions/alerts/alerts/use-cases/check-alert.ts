import {
  type AlertCondition,
  conditionIssues,
  type FieldCondition,
} from '../../../../shared/domains/alerts/conditions/index.ts';
import {
  type AlertRecord,
  addressesIn,
  evaluationTimeIssues,
  groupsIn,
  MAX_CLASSES,
  peopleIn,
  sharesRows,
  TOO_FREQUENT,
} from '../../../../shared/domains/alerts/rules/index.ts';
import {
  type AnswerColumn,
  columnsOf,
  type OpenedCondition,
  type PersonalCondition,
  personalCondition,
  readerFor,
  seesAll,
} from '../../../../shared/domains/alerts/sources/index.ts';
import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import { boundValues } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { ERRORS, type ErrorCode } from '../../../../shared/platform/errors/catalogue.ts';
import { didYouMean } from '../../../../shared/platform/text/nearest.ts';
import type { AlertDeps } from './context.ts';

const AT_ONCE = 8;

/** The codes of issues that have an error of their own. */
const OWN_ERRORS: Readonly<Record<string, ErrorCode>> = {
  COLUMN_UNKNOWN: 'ALERT_COLUMN_UNKNOWN',
  COLUMN_NOT_NUMERIC: 'ALERT_COLUMN_NOT_NUMERIC',
  PARAMETER_UNBOUND: 'ALERT_PARAMETER_UNBOUND',
  RECIPIENT_NO_ACCESS: 'ALERT_RECIPIENT_NO_ACCESS',
  TARGET_PROTECTED: 'ALERT_TARGET_PROTECTED',
  [TOO_FREQUENT]: 'SCHEDULE_TOO_FREQUENT',
};

/** One error for all issues: the most telling one that is true for every one of them. */
function throwIssues(errors: readonly Issue[]): void {
  const [first] = errors;
  if (!first) return;
  const own = OWN_ERRORS[first.code];
  if (own && errors.every(({ code }) => code === first.code)) throw new AppError(own, { errors });
  const isCondition = errors.every(({ pointer }) => pointer.startsWith('/condition'));
  throw new AppError(isCondition ? 'ALERT_CONDITION_INVALID' : 'VALIDATION_FAILED', { errors });
}

interface Checked {
  alert: AlertRecord;
  principal: Principal;
  /** Whether what is evaluated is new, and so is read once. */
  isRead: boolean;
  /** Whether the people are new. Those who have left since need not be removed by hand. */
  isAddressed: boolean;
  /** What is wrong with targets, and with addresses outside the workspace. */
  outsideIssues: readonly Issue[];
}

/**
 * Throws `ALERT_CONDITION_INVALID` or a more special code with every issue, and `ALERT_TOO_MANY_CLASSES`. The condition
 * is read with the rights of the author.
 */
export async function assertValid(
  deps: AlertDeps,
  { alert, principal, isRead, isAddressed, outsideIssues }: Checked,
): Promise<void> {
  const { condition } = alert;
  const plain = [...conditionIssues(condition), ...evaluationTimeIssues(alert, deps.now())];
  const issues = [...plain, ...(isAddressed ? await peopleIssues(deps, alert) : [])];
  if (plain.some(({ pointer }) => pointer.startsWith('/condition'))) return throwIssues(issues);
  const found = await sourceIssues(deps, { alert, principal, isRead });
  if (found.own && alert.scheduleCron === null && alert.onRefresh && found.own.opened.datasetIds === null) {
    const message =
      'is required, because new data is noticed only in datasets, and the condition also reads other data';
    issues.push({ pointer: '/scheduleCron', code: 'REQUIRED', message });
  }
  if (found.own?.isProtected && alert.runAs === 'owner' && !alert.shareRows) {
    const message = 'must be true, because the data is protected, and others would be notified of rows of the owner';
    issues.push({ pointer: '/shareRows', code: 'REQUIRED', message });
  }
  for (const pointer of found.own?.isProtected ? outsidePointers(alert) : []) {
    const message = 'cannot get values of protected data; remove it, or choose another source';
    issues.push({ pointer, code: 'TARGET_PROTECTED', message });
  }
  issues.push(...found.issues, ...outsideIssues);
  throwIssues(issues);
  if (found.own && (isRead || isAddressed)) throwIssues(await recipientIssues(deps, { alert, principal }, found.own));
}

/** The first target, and the first address outside the workspace. */
const outsidePointers = ({ targets = [], channels }: AlertRecord): string[] => [
  ...(targets.length > 0 ? ['/channels/targets/0'] : []),
  ...(addressesIn(channels).length > 0 ? ['/channels/email/addresses/0'] : []),
];

/** The same for a condition that is not stored. */
export async function assertReadable(
  deps: AlertDeps,
  principal: Principal,
  { condition, timezone }: Pick<AlertRecord, 'condition' | 'timezone'>,
): Promise<void> {
  throwIssues(conditionIssues(condition));
  const { issues } = await sourceIssues(deps, { alert: { condition, timezone }, principal, isRead: true });
  throwIssues(issues);
}

async function peopleIssues(deps: AlertDeps, { workspaceId, channels, owner }: AlertRecord): Promise<Issue[]> {
  const people = peopleIn(channels);
  const groups = groupsIn(channels);
  const [members, known] = await Promise.all([
    deps.members(workspaceId, [owner.userId, ...people]),
    deps.groupsAmong(workspaceId, groups),
  ]);
  const unknown = (place: 'inApp' | 'email'): Issue[] => [
    ...(channels[place]?.userIds ?? []).flatMap((id, index) =>
      members.has(id) ? [] : [notMember(`/channels/${place}/userIds/${index}`)],
    ),
    ...(channels[place]?.groupIds ?? []).flatMap((id, index) =>
      known.has(id)
        ? []
        : [
            {
              pointer: `/channels/${place}/groupIds/${index}`,
              code: 'UNKNOWN_GROUP',
              message: 'is not a group of the workspace',
            },
          ],
    ),
  ];
  const isOwner = members.get(owner.userId)?.isActive === true;
  return [...unknown('inApp'), ...unknown('email'), ...(isOwner ? [] : [notMember('/ownerId')])];
}

const notMember = (pointer: string): Issue => ({
  pointer,
  code: 'NOT_A_MEMBER',
  message: 'is not an active member of the workspace',
});

async function sourceIssues(
  deps: AlertDeps,
  {
    alert,
    principal,
    isRead,
  }: Pick<Checked, 'principal' | 'isRead'> & { alert: Pick<AlertRecord, 'condition' | 'timezone'> },
): Promise<{ issues: Issue[]; own: PersonalCondition | undefined }> {
  const { condition } = alert;
  try {
    const own = await personalCondition(deps, principal, alert);
    if (!isRead) return { issues: [], own };
    const unbound = await parameterIssues(deps, principal, condition);
    if (unbound.length > 0) return { issues: unbound, own };
    const answer = await own.opened.readAnswer(deps, principal, deps.now());
    if (condition.kind === 'metric') return { issues: [], own };
    const issues = columnIssues(condition, answer.columns);
    if (issues.length === 0) own.opened.interpret(answer);
    return { issues, own };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { issues: unreadable(condition, error), own: undefined };
  }
}

/** Why the source cannot be read, at its place in the condition. */
function unreadable(condition: AlertCondition, { code, message, errors }: AppError): Issue[] {
  const at = condition.kind === 'metric' ? '/condition/metricId' : '/condition/source';
  const isOfGroups =
    code === 'ALERT_TOO_MANY_GROUPS' || (condition.kind === 'metric' && code === 'ALERT_COLUMN_UNKNOWN');
  const pointer = isOfGroups ? '/condition/by' : at;
  if (errors.length === 0) return [{ pointer, code, message: message || ERRORS[code][1] }];
  return errors.map((issue) => ({ ...issue, pointer }));
}

async function parameterIssues(deps: AlertDeps, principal: Principal, condition: AlertCondition): Promise<Issue[]> {
  if (condition.kind === 'metric' || condition.source.kind !== 'savedQuery') return [];
  const { id, params = {} } = condition.source;
  const saved = await deps.savedQueries.get(principal.workspaceId, id);
  const { issues } = boundValues(saved?.params ?? [], params);
  return issues.map(({ pointer, code, message }) => ({
    pointer: `/condition/source${pointer}`,
    code: code === 'REQUIRED' ? 'PARAMETER_UNBOUND' : code,
    message,
  }));
}

const NUMERIC = /^(integer|double|decimal|number)/;

/** Columns that the condition names and the answer does not have, or whose values are no numbers. */
function columnIssues(condition: FieldCondition, columns: readonly AnswerColumn[]): Issue[] {
  const named = columnsOf(condition);
  const names = columns.map(({ name }) => name);
  const unknown = (pointer: string, name: string): Issue => ({
    pointer,
    code: 'COLUMN_UNKNOWN',
    message: `${name} is not a column of the rows${didYouMean(name, names)}`,
  });
  const column = columns.find(({ name }) => name === named.value);
  const issues: Issue[] = [];
  if (!column) issues.push(unknown('/condition/column', named.value));
  else if (condition.reduce !== 'count' && !NUMERIC.test(column.type)) {
    const message = `has values of the type ${column.type}, not numbers; choose another column, or reduce the rows with count`;
    issues.push({ pointer: '/condition/column', code: 'COLUMN_NOT_NUMERIC', message });
  }
  if (named.group !== null && !names.includes(named.group)) issues.push(unknown('/condition/by/column', named.group));
  return issues;
}

/** Statements on a data source cannot be filtered, so that readers of whom rows are kept may not run them. */
const isUnfilterable = ({ reads }: OpenedCondition): boolean =>
  reads.some(({ sourceId, places, returnsRowsOf }) => sourceId !== DATASETS && places === 'all' && !returnsRowsOf);

/** Throws `ALERT_TOO_MANY_CLASSES`. */
async function recipientIssues(
  deps: AlertDeps,
  { alert, principal }: Pick<Checked, 'alert' | 'principal'>,
  { opened, isProtected }: PersonalCondition,
): Promise<Issue[]> {
  if (sharesRows(alert) || (!isProtected && !opened.differsByPerson)) return [];
  const { workspaceId, channels } = alert;
  const { companyId } = principal;
  const classes = new Map<string, string | undefined>();
  await inParallel(AT_ONCE, peopleIn(channels), async (userId) => {
    classes.set(userId, await classOfMember(deps, { workspaceId, companyId, userId }, alert));
  });
  if (new Set(classes.values()).size > MAX_CLASSES) throw new AppError('ALERT_TOO_MANY_CLASSES');
  const hasNoAccess = (userId: string): boolean => {
    const key = classes.get(userId);
    return key === undefined || (isUnfilterable(opened) && !seesAll(key));
  };
  return (['inApp', 'email'] as const).flatMap((place) =>
    (channels[place]?.userIds ?? []).flatMap((userId, index) =>
      hasNoAccess(userId)
        ? [
            {
              pointer: `/channels/${place}/userIds/${index}`,
              code: 'RECIPIENT_NO_ACCESS',
              message: 'may not see the data that the condition reads',
            },
          ]
        : [],
    ),
  );
}

async function classOfMember(
  deps: AlertDeps,
  place: { workspaceId: string; companyId: string; userId: string },
  alert: AlertRecord,
): Promise<string | undefined> {
  const reader = await readerFor(deps, place);
  if (!reader) return undefined;
  try {
    return (await personalCondition(deps, reader, alert)).classKey;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { USER_TYPE } from '../../../../functions/identity/scim/protocol/attributes.ts';
import { type Filter, parseFilter } from '../../../../functions/identity/scim/protocol/filter.ts';
import { readListQuery } from '../../../../functions/identity/scim/protocol/list.ts';
import { type Operation, readOperations } from '../../../../functions/identity/scim/protocol/operations.ts';
import { patched, readResource } from '../../../../functions/identity/scim/protocol/patch.ts';
import { selecting } from '../../../../functions/identity/scim/protocol/selection.ts';
import { idsOf } from '../../../../functions/identity/scim/use-cases/member-changes.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';

/** The result, or the code of the error that a client sees. Anything else that is thrown fails the test. */
function attempt<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('SCIM_')) return error.code;
    throw error;
  }
}

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const paths = [
  'userName',
  'DISPLAYNAME',
  'name',
  'name.givenName',
  'active',
  'emails',
  'emails.value',
  'emails[type eq "work"]',
  'emails[type eq "work"].value',
  'emails[primary eq true and type eq "home"].value',
  'addresses[type eq "work"].country',
  ENTERPRISE,
  `${ENTERPRISE}:manager`,
  `${ENTERPRISE}:manager.value`,
  'urn:ietf:params:scim:schemas:core:2.0:User:title',
  'unknown.thing',
];
const path = fc.oneof(fc.constantFrom(...paths), fc.string());
const operation = fc.record(
  { op: fc.constantFrom('add', 'Replace', 'REMOVE', 'move'), path, value: fc.jsonValue({ maxDepth: 3 }) },
  { requiredKeys: ['op'] },
);
const resource = fc.dictionary(fc.oneof(fc.constantFrom(...paths), fc.string()), fc.jsonValue({ maxDepth: 3 }));

describe('operations on a resource', () => {
  it('give a resource or an error of SCIM, whatever a client sends', () => {
    fc.assert(
      fc.property(resource, fc.array(operation, { maxLength: 4 }), (sent, operations) => {
        const first = attempt(() => readResource(sent, USER_TYPE));
        const start = typeof first === 'string' ? {} : first;
        const before = JSON.stringify(start);
        attempt(() => patched(start, readOperations({ Operations: operations }), USER_TYPE));
        expect(JSON.stringify(start)).toBe(before);
      }),
      { numRuns: 500 },
    );
  });

  it('leave what was read as it is when it is sent back', () => {
    fc.assert(
      fc.property(resource, (sent) => {
        const read = attempt(() => readResource(sent, USER_TYPE));
        if (typeof read !== 'string') expect(readResource(read, USER_TYPE)).toEqual(read);
      }),
      { numRuns: 500, examples: [[{ userName: [''] }]] },
    );
  });

  it('that replace or remove can be repeated', () => {
    const repeatable = operation.filter(({ op }) => op !== 'add' && op !== 'move');
    fc.assert(
      fc.property(resource, repeatable, (sent, sentOperation) => {
        const start = attempt(() => readResource(sent, USER_TYPE));
        if (typeof start === 'string') return;
        const once = attempt(() => patched(start, readOperations({ Operations: [sentOperation] }), USER_TYPE));
        if (typeof once === 'string') return;
        const again = patched(once, readOperations({ Operations: [sentOperation] }), USER_TYPE);
        expect(again).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, Operation[], object]>([
    [
      'keep one primary value',
      [{ op: 'add', path: 'emails', value: { value: 'b', primary: 'True' } }],
      {
        emails: [
          { value: 'a', type: 'work', primary: false },
          { value: 'b', primary: true },
        ],
      },
    ],
    [
      'collapse equal values',
      [{ op: 'add', path: 'emails', value: [{ value: 'a', type: 'work', primary: true }] }],
      {
        emails: [{ value: 'a', type: 'work', primary: true }],
      },
    ],
    [
      'remove the values of a list only',
      [{ op: 'remove', path: 'emails', value: [{ value: 'other' }] }],
      {
        emails: [{ value: 'a', type: 'work', primary: true }],
      },
    ],
    [
      'remove one member of all values',
      [{ op: 'remove', path: 'emails.primary' }],
      {
        emails: [{ value: 'a', type: 'work' }],
      },
    ],
    ['remove all values', [{ op: 'remove', path: 'emails' }], {}],
  ])('%s', (_what, operations, expected) => {
    const start = { emails: [{ value: 'a', type: 'work', primary: true }] };
    expect(patched(start, operations, USER_TYPE)).toEqual(expected);
  });
});

describe('values that only look like texts or numbers', () => {
  const odd = { toString: 1 };

  it('are errors of SCIM', () => {
    expect(attempt(() => readListQuery({ count: odd }))).toBe('SCIM_INVALID_VALUE');
    expect(attempt(() => readListQuery({ startindex: [1] }))).toBe('SCIM_INVALID_VALUE');
    expect(attempt(() => readOperations({ Operations: [{ op: odd, value: {} }] }))).toBe('SCIM_INVALID_SYNTAX');
    expect(attempt(() => readResource({ active: { value: odd } }, USER_TYPE))).toBe('SCIM_INVALID_VALUE');
    expect(attempt(() => idsOf(['x'.repeat(101)]))).toBe('SCIM_INVALID_VALUE');
  });

  it('select no attribute', () => {
    expect(readListQuery({ attributes: [odd, 'title'] }).attributes).toEqual(['title']);
  });
});

describe('filters', () => {
  const write = (filter: Filter): string =>
    filter.kind === 'all'
      ? filter.filters.map((each) => (each.kind === 'all' ? `(${write(each)})` : write(each))).join(' AND ')
      : filter.kind === 'some'
        ? `${filter.path}[${write(filter.filter)}]`
        : `${filter.path} eq ${JSON.stringify(filter.value)}`;
  const equals = fc.record({
    kind: fc.constant('equals' as const),
    path: fc.constantFrom('userName', 'name.givenName', 'urn:a:2.0:User:b'),
    value: fc.oneof(fc.string(), fc.integer(), fc.boolean()),
  });
  const some = fc.record({ kind: fc.constant('some' as const), path: fc.constant('emails'), filter: equals });
  const all = fc.record({
    kind: fc.constant('all' as const),
    filters: fc.array(fc.oneof(equals, some), { minLength: 2, maxLength: 4 }),
  });

  it('are read as they were written', () => {
    const filter: fc.Arbitrary<Filter> = fc.oneof(equals, some, all);
    fc.assert(
      fc.property(filter, (each) => {
        expect(parseFilter(write(each))).toEqual(each);
      }),
    );
  });

  it('of any text are read, or are an error of SCIM', () => {
    const words = fc.constantFrom('userName', 'eq', 'and', 'or', '(', ')', '[', ']', '"x"', '"', 'true', '.value', ' ');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((each) => each.join(' ')),
        ),
        (text) => {
          attempt(() => parseFilter(text));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a selection of attributes', () => {
  const user = {
    schemas: ['x'],
    id: '1',
    userName: 'ada',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    [ENTERPRISE]: { department: 'A', manager: { value: '2', displayName: 'B' } },
  };

  it.each([
    [{ attributes: 'username' }, { schemas: ['x'], id: '1', userName: 'ada' }],
    [{ attributes: ['name.familyName'] }, { schemas: ['x'], id: '1', name: { familyName: 'Lovelace' } }],
    [{ attributes: `${ENTERPRISE}:department` }, { schemas: ['x'], id: '1', [ENTERPRISE]: { department: 'A' } }],
    [{ attributes: ENTERPRISE }, { schemas: ['x'], id: '1', [ENTERPRISE]: user[ENTERPRISE] }],
    [{ attributes: 'nothing' }, { schemas: ['x'], id: '1' }],
    [{ excludedAttributes: 'id, name, userName' }, { schemas: ['x'], id: '1', [ENTERPRISE]: user[ENTERPRISE] }],
    [
      { excludedAttributes: `${ENTERPRISE}:manager.displayName,userName,name.givenName` },
      {
        schemas: ['x'],
        id: '1',
        name: { familyName: 'Lovelace' },
        [ENTERPRISE]: { department: 'A', manager: { value: '2' } },
      },
    ],
  ])('%j', (selection, expected) => {
    expect(selecting(USER_TYPE, selection)(user)).toEqual(expected);
  });
});

import { useSignal } from '@preact/signals';
import { api, type Types } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useNames } from '../../data/members.ts';
import { issueOf, problemOf } from '../../data/problem.ts';
import { nameOfTable } from '../../data/quality.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { RecordForm } from '../../shell/record-form.tsx';
import { bound } from '../../ui/bound.ts';
import { differencesOf } from '../../ui/differences.ts';
import { Field } from '../../ui/field.tsx';
import { counted, countOf, scoreOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

type Gate = Types.DataQualityPublishGate;
type Score = Types.DataQualityTableScore;

/** The worst tables come first; more than these are not looked at. */
const MAX_TABLES = 200;

/** Which tables keep the models and dashboards that read them from being published. */
export function Publishing() {
  const { data: gate, error, refresh } = useQuery(['quality', 'gate'], () => api.quality.getPublishGate());
  const isAdmin = hasRole(useMe().data, 'admin');
  if (!gate) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  return (
    <div class="publishing">
      <Section title="Publishing gate">
        <p>{gateInWords(gate)}</p>
        <LastChange gate={gate} />
        {isAdmin && <Edit gate={gate} />}
      </Section>
      {gate.minScore > 0 && (
        <Section title="Tables below the score">
          <Below minScore={gate.minScore} />
        </Section>
      )}
    </div>
  );
}

const gateInWords = ({ minScore }: Gate): string =>
  minScore === 0
    ? 'The gate is off: models and dashboards can be published whatever their tests find.'
    : `Models and dashboards that read a table with a score below ${minScore} cannot be published, unless an admin overrides the gate with a reason. ${
        minScore > 59 ? 'One failing critical test is enough: it limits the score of its table to 59.' : ''
      }`;

function LastChange({ gate: { updatedAt, updatedBy } }: { gate: Gate }) {
  const names = useNames();
  if (updatedAt === null) return <p class="hint">This is the default.</p>;
  return (
    <p class="hint">
      Changed by {names?.get(updatedBy ?? '') ?? 'a member'}, <Ago at={updatedAt} />
    </p>
  );
}

function Edit({ gate }: { gate: Gate }) {
  const minScore = useSignal(String(gate.minScore));
  const edit = useEdit(
    gate,
    () => api.quality.getPublishGate(),
    async (ifMatch) => {
      const saved = await api.quality.updatePublishGate({ minScore: Number(minScore.peek()) }, { ifMatch });
      await refreshQueries(['quality', 'gate']);
      toast('The gate is saved.');
      return saved;
    },
  );
  return (
    <RecordForm
      action="Save"
      saving={edit}
      fields={['minScore']}
      differences={(theirs) =>
        differencesOf(theirs, { minScore: Number(minScore.value) }, { minScore: 'Lowest score' })
      }
      take={(theirs) => {
        minScore.value = String(theirs.minScore);
        void refreshQueries(['quality', 'gate']);
      }}
    >
      <Field
        label="Lowest score"
        hint="0 to 100; 0 turns the gate off. What is already published stays published."
        type="number"
        min={0}
        max={100}
        step={1}
        required
        issue={issueOf(edit.problem, 'minScore')}
        {...bound(minScore)}
      />
    </RecordForm>
  );
}

const shownScore = ({ score }: Score) => <span title={String(score)}>{scoreOf(score ?? 0)}</span>;

const COLUMNS: readonly Column<Score>[] = [
  {
    id: 'table',
    label: 'Table',
    cell: (score) => (
      <Link to="/quality" query={{ tab: 'tests', table: nameOfTable(score) }}>
        {nameOfTable(score)}
      </Link>
    ),
  },
  { id: 'score', label: 'Score', isNumber: true, width: '80px', cell: shownScore },
  {
    id: 'failing',
    label: 'Failing tests',
    isNumber: true,
    width: '120px',
    cell: ({ failing, tests }) => `${countOf(failing)} of ${countOf(tests)}`,
  },
];

function Below({ minScore }: { minScore: number }) {
  const { data, error, refresh } = useQuery(['quality', 'tables', 'worst'], () =>
    api.quality.listTableScores({ sort: 'score', limit: MAX_TABLES }),
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={3} />;
  const below = data.items.filter(({ score }) => score !== null && score < minScore);
  if (below.length === 0) {
    return (
      <Empty icon="shield-check" title="No table prevents publishing">
        Tables without a score are ignored.
      </Empty>
    );
  }
  return (
    <>
      {below.length === data.items.length && data.total > below.length && (
        <p class="hint">The worst {counted(below.length, 'table')}.</p>
      )}
      <Table
        label="Tables below the score"
        columns={COLUMNS}
        rows={below}
        keyOf={(score) => `${score.sourceId} ${nameOfTable(score)}`}
      />
    </>
  );
}

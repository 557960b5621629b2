import { useSignal } from '@preact/signals';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useEntitlements } from '../../../data/entitlements.ts';
import { useMe } from '../../../data/me.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { bytesOf, counted, hoursOf, shareOf } from '../../../ui/format.ts';
import { dateText } from '../../../ui/moment.ts';
import { Section } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';

const HOUR_S = 3600;
const GB = 1e9;

/** What the workspace has used this month, and what it may use. */
export default function Usage() {
  const usage = useQuery(['usage'], () => api.usage.getProductUsage());
  const entitlements = useEntitlements().data;
  const isCompanyAdmin = useMe().data!.user.companyRole === 'company_admin';
  const { data, error, refresh } = usage;
  return (
    <>
      <Section title={data ? `Usage in ${monthOf(data.month)}` : 'Usage'}>
        {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />)}
        {data && <Amounts usage={data} />}
        {entitlements && (
          <p class="hint">
            Plan: {entitlements.bi.tier}
            {Object.entries(entitlements.trialGrants).map(
              ([product, until]) => ` · trial of ${product} until ${dateText(until)}`,
            )}
          </p>
        )}
      </Section>
      <Budgets isEditable={isCompanyAdmin} />
    </>
  );
}

const monthOf = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function Amounts({ usage: { products } }: { usage: Types.ProductUsage }) {
  const { pipelines, warehouse } = products;
  const hours = pipelines.currentPeriod.execution_seconds / HOUR_S;
  const allowedHours = pipelines.allowance?.execution_hours ?? null;
  const stored = warehouse.currentPeriod.storage_bytes;
  const allowedBytes = warehouse.allowance?.storage_bytes ?? null;
  return (
    <dl class="rights">
      <dt>Pipelines</dt>
      <dd>
        {hoursOf(hours)}
        {allowedHours !== null && ` of ${hoursOf(allowedHours)}`} hours of execution
        {allowedHours !== null && ` (${shareOf(hours, allowedHours)})`} · {counted(pipelines.currentPeriod.runs, 'run')}{' '}
        · {counted(pipelines.currentPeriod.rows_moved, 'row')} · {bytesOf(pipelines.currentPeriod.bytes_moved)}
        {!pipelines.licensed && <p class="hint">Not in your plan.</p>}
      </dd>
      <dt>Warehouse</dt>
      <dd>
        {bytesOf(warehouse.currentPeriod.storage_bytes_current)} now ·{' '}
        {allowedBytes === null
          ? `peak ${bytesOf(stored)} this month`
          : `peak ${bytesOf(stored)} of ${bytesOf(allowedBytes)} this month (${shareOf(stored, allowedBytes)})`}{' '}
        · {counted(warehouse.currentPeriod.datasets, 'dataset')}
        {!warehouse.licensed && <p class="hint">Not in your plan.</p>}
      </dd>
    </dl>
  );
}

/** Limits that the company sets for the workspace, below those of the plan. */
function Budgets({ isEditable }: { isEditable: boolean }) {
  const { data, error, refresh } = useQuery(['budgets'], () => api.usage.getBudgets());
  return (
    <Section title="Budgets">
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />)}
      {data && <BudgetForm key={data.updatedAt} budgets={data} isEditable={isEditable} />}
    </Section>
  );
}

const textOf = (value: number | null): string => (value === null ? '' : String(value));
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function BudgetForm({ budgets, isEditable }: { budgets: Types.Budgets; isEditable: boolean }) {
  const hours = useSignal(textOf(budgets.pipelines.execution_hours));
  const gigabytes = useSignal(textOf(budgets.warehouse.storage_gb));
  const save = useAction(async () => {
    await api.usage.setBudgets({
      pipelines: { execution_hours: numberOf(hours.peek()) },
      warehouse: { storage_gb: numberOf(gigabytes.peek()) },
    });
    await Promise.all([refreshQueries(['budgets']), refreshQueries(['usage'])]);
    toast('The budgets are saved.');
  });
  if (!isEditable) {
    const most = budgets.pipelines.execution_hours;
    const storage = budgets.warehouse.storage_gb;
    return (
      <p class="hint">
        Pipeline execution: {most === null ? 'no limit' : `${counted(most, 'hour')} a month`}. Storage:{' '}
        {storage === null ? 'no limit' : bytesOf(storage * GB)}. Company admins set them.
      </p>
    );
  }
  return (
    <Form action="Save" submit={() => save.run()} isBusy={save.isRunning} problem={save.problem}>
      <Field
        label="Pipeline execution, hours a month"
        type="number"
        min={0}
        step="any"
        hint="Leave it empty for no limit. Runs are refused once it is used up."
        {...bound(hours)}
      />
      <Field
        label="Storage of datasets, GB"
        type="number"
        min={0}
        step="any"
        hint="Leave it empty for no limit. Loads are refused once it is used up."
        {...bound(gigabytes)}
      />
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { ShownLook } from '../../../data/dashboard-cards.ts';
import { useTokens } from '../../../data/themes.ts';
import { type MadeChart, SourcePicker } from '../../../shell/source-picker.tsx';
import { SuggestedCharts } from '../../../shell/suggested-charts.tsx';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { CheckField, Field } from '../../../ui/field.tsx';
import { Loading } from '../../../ui/states.tsx';
import { INSERTABLE, type InsertProps } from './insertion.ts';

/** A chart, a table or a number of a source, which no dashboard has to have. */
export function InsertChart({ close }: InsertProps) {
  const tokens = useTokens(null);
  const [made, make] = useState<MadeChart>();
  const [isTable, setTable] = useState(false);
  const title = useSignal('');
  const look = useSignal<ShownLook | undefined>(undefined);
  const insert = async () => {
    if (!made) return false;
    const { spec } = made;
    const table = { version: 1, query: spec.query, mark: { type: 'table' } };
    const drawn = look.value ? { version: 1, query: spec.query, ...look.value.look } : spec;
    const named = title.peek().trim();
    const source = { kind: 'chart', chartSpec: isTable ? table : drawn };
    close({ type: 'liveBlock', attrs: { source, ...(named && { title: named }) } });
    return false;
  };
  return (
    <Dialog title={INSERTABLE.chart} close={() => close()} action="Insert" isIncomplete={!made} submit={insert}>
      {!tokens && <Loading rows={4} />}
      {tokens && !made && (
        <SourcePicker
          tokens={tokens}
          make={(next) => {
            title.value = next.name;
            make(next);
          }}
        />
      )}
      {made && (
        <>
          <Field label="Title" maxLength={200} {...bound(title)} />
          <CheckField
            label="Show the rows as a table"
            checked={isTable}
            onChange={({ currentTarget }) => setTable(currentTarget.checked)}
          />
          {!isTable && <SuggestedCharts asked={{ query: made.spec.query }} look={look} />}
          <Button isSmall look="plain" icon="arrow-left" onClick={() => make(undefined)}>
            Another source
          </Button>
        </>
      )}
    </Dialog>
  );
}

import { type ComponentChildren, Fragment } from 'preact';
import { Button } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon-names.ts';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useChosen } from './chosen.ts';
import type { PartProps } from './part-props.ts';

/** Opens the form of a part; absent for who may not edit. */
export type EditPart = ((key: string) => void) | undefined;

interface PartListProps<P> extends PartProps {
  /** What the parts are called, such as `Measures` and `measure`. */
  label: string;
  noun: string;
  parts: readonly P[];
  keyOf: (part: P) => string;
  /** In the address, for a new one. No part has it as its key. */
  newKey?: string;
  /** Whether there can be one more. */
  canAdd?: boolean;
  /** `edit` opens the form of a part, if the person may. */
  columnsOf: (edit: EditPart) => readonly Column<P>[];
  /** Of a part, or of a new one. */
  form: (part: P | undefined, close: () => void) => ComponentChildren;
  /** In the place of a table without parts; what such a part is for are the children. */
  icon: IconName;
  title: string;
  children: ComponentChildren;
}

/** The parts of one kind: the form of the one that is open, the button for a new one, and the table. */
export function PartList<P>(props: PartListProps<P>) {
  const { label, noun, parts, keyOf, newKey = 'new', canAdd = true, canEdit, columnsOf, form, icon, title } = props;
  const { chosen, choose, close } = useChosen(props);
  const current = parts.find((part) => keyOf(part) === chosen);
  const isNew = chosen === newKey;
  const add = canEdit && canAdd && (
    <Button icon="plus" onClick={() => choose(newKey)}>
      {`New ${noun}`}
    </Button>
  );
  return (
    <>
      {(current || isNew) && <Fragment key={chosen}>{form(current, close)}</Fragment>}
      {parts.length === 0 ? (
        !isNew && (
          <Empty icon={icon} title={title} action={add}>
            {props.children}
          </Empty>
        )
      ) : (
        <>
          {add && <div class="filters">{add}</div>}
          <Table label={label} columns={columnsOf(canEdit ? choose : undefined)} rows={parts} keyOf={keyOf} />
        </>
      )}
    </>
  );
}

interface PartNameProps {
  of: string;
  edit: EditPart;
  children: ComponentChildren;
}

/** The name of a part, by which its form is opened. */
export const PartName = ({ of, edit, children }: PartNameProps) =>
  edit ? (
    <button type="button" class="text-button" onClick={() => edit(of)}>
      <span class="two-lines">{children}</span>
    </button>
  ) : (
    children
  );

import { useSignal } from '@preact/signals';
import { bound } from '../../../ui/bound.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { INSERTABLE, type InsertProps } from './insertion.ts';

/** An image by its address. Pages of stories load nothing from other hosts, so readers get a link. */
export function InsertImage({ close }: InsertProps) {
  const src = useSignal('');
  const alt = useSignal('');
  const insert = async () => {
    close({ type: 'image', attrs: { src: src.peek().trim(), alt: alt.peek().trim() } });
    return false;
  };
  const isIncomplete = !/^https:\/\/\S+$/.test(src.value.trim()) || alt.value.trim() === '';
  return (
    <Dialog title={INSERTABLE.image} close={() => close()} action="Insert" isIncomplete={isIncomplete} submit={insert}>
      <Field
        label="Address"
        type="url"
        required
        pattern="https://.*"
        placeholder="https://example.com/chart.png"
        hint="Readers see a link: pages load nothing from other hosts."
        maxLength={2048}
        {...bound(src)}
      />
      <Field label="What it shows" required maxLength={500} hint="The text of the link." {...bound(alt)} />
    </Dialog>
  );
}

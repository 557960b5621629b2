import type { FunctionComponent } from 'preact';
import { InsertCard } from './card.tsx';
import { InsertChart } from './chart.tsx';
import { InsertImage } from './image.tsx';
import type { InsertKind, InsertProps } from './insertion.ts';
import { InsertValue } from './value.tsx';

const DIALOGS: Readonly<Record<InsertKind, FunctionComponent<InsertProps>>> = {
  card: InsertCard,
  chart: InsertChart,
  value: InsertValue,
  image: InsertImage,
};

/** The choice of what is inserted. */
export default function Insert({ kind, ...props }: InsertProps & { kind: InsertKind }) {
  const Dialog = DIALOGS[kind];
  return <Dialog {...props} />;
}

import * as Type from 'typebox';
import { rowsProperties } from '../cards/index.ts';
import { PartId } from '../dashboards/index.ts';

export const BlockData = Type.Object(
  {
    blockId: PartId,
    ...rowsProperties,
  },
  {
    $id: 'ReportBlockData',
    description:
      'The rows of a block that the caller may see. Integers beyond 2^53 and decimals are strings, dates are `YYYY-MM-DD`, datetimes are in the time zone.',
  },
);

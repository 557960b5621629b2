import type { ComponentChildren } from 'preact';
import type { List } from '../data/list.ts';
import { problemOf } from '../data/problem.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Table, type TableProps } from '../ui/table.tsx';

interface ListTableProps<T> extends Omit<TableProps<T>, 'rows' | 'list'> {
  list: List<T>;
  /** Of the bars that are shown while it is being read. */
  bars: number;
  /** In the place of a list without items. */
  children: ComponentChildren;
}

/** The table of a list of the API, in each of its states. */
export function ListTable<T>({ list, bars, children, ...table }: ListTableProps<T>) {
  const { items, error, refresh } = list;
  if (!items) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={bars} />;
  return items.length === 0 ? children : <Table {...table} list={list} />;
}

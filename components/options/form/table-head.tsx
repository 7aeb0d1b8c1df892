import type { JSX } from 'preact';

/** The columns of a table, each with its name as a class. `end`: of numbers; `visuallyHidden`: named for screen readers only. */
export function TableHead<Column extends string>(props: {
  columns: readonly Column[];
  names: Record<Column, string>;
  end?: Column;
  visuallyHidden?: Column;
}): JSX.Element {
  const { columns, names, end, visuallyHidden } = props;
  return (
    <>
      <colgroup>
        {columns.map((column) => (
          <col key={column} class={column} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" class={column === end ? 'r' : undefined}>
              <span class={column === visuallyHidden ? 'sr' : undefined}>{names[column]}</span>
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

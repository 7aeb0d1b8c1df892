import type { JSX } from 'preact';

/** The columns of a table, each with its name as a class. `end`: those of numbers; `visuallyHidden`: those named for screen readers only. */
export function TableHead<Column extends string>(props: {
  columns: readonly Column[];
  names: Record<Column, string>;
  end?: readonly Column[];
  visuallyHidden: readonly Column[];
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
            <th key={column} scope="col" class={end?.includes(column) ? 'r' : undefined}>
              <span class={visuallyHidden.includes(column) ? 'sr' : undefined}>{names[column]}</span>
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

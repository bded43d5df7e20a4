/** Prints records as JSON, or as a table of some of their fields. */
export function printRecords(
  records: readonly object[],
  fields: readonly string[],
  { json }: { readonly json?: true },
) {
  if (json) return console.log(JSON.stringify(records, null, 2))
  const rows = [fields, ...records.map((record) => fields.map((field) => readText(record, field)))]
  const widths = fields.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
}

function readText(record: object, field: string): string {
  const value = (record as Readonly<Record<string, unknown>>)[field]
  return Array.isArray(value) ? value.join(',') : String(value ?? '-')
}

/** A Markdown table. Cells may have Markdown, but no HTML. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', String.raw`\|`)
}

/** The blocks of a page, without empty ones. */
export function joined(blocks: readonly string[]): string {
  return blocks.filter(Boolean).join('\n\n')
}

import type { ReactNode } from 'react'

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g
/** Longer texts have one color: thousands of elements are slow. */
const maxColored = 50_000

/** A JSON text, with colors. An incomplete one is shown too. */
export function JsonCode({ text }: { readonly text: string }) {
  return (
    <code className="font-mono text-xs leading-5 break-words whitespace-pre-wrap">
      {text.length > maxColored ? text : colored(text)}
    </code>
  )
}

function colored(text: string): readonly ReactNode[] {
  const nodes: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    const [all, string, colon, word] = match
    nodes.push(text.slice(end, match.index))
    const color = string ? (colon ? 'text-accent-strong' : 'text-success') : word ? 'text-warning' : 'text-fg'
    nodes.push(
      <span key={match.index} className={color}>
        {string ?? all}
      </span>,
      colon,
    )
    end = match.index + all.length
  }
  nodes.push(text.slice(end))
  return nodes
}

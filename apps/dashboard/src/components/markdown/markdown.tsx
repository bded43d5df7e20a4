import { Lexer, type MarkedToken } from 'marked'
import { memo, useMemo } from 'react'
import { MarkdownBlock } from './markdown-block.tsx'

export interface MarkdownProps {
  readonly text: string
  /** Whether the text is still growing. */
  readonly streaming?: boolean | undefined
}

/**
 * A Markdown text of a model, as React elements: HTML in it is shown as text, and images as links. While a text grows, only
 * its changed blocks are rendered again.
 */
export function Markdown({ text, streaming = false }: MarkdownProps) {
  const parsed = useMemo(() => parse(text), [text])
  if (!parsed) return <p className="whitespace-pre-wrap">{text}</p>
  return (
    <div className={`flex flex-col gap-3 ${streaming ? 'typing' : ''}`}>
      {parsed.blocks.map((block, index) => (
        // oxlint-disable-next-line no-array-index-key -- blocks are only added at the end
        <Block key={index} block={block} definitions={parsed.definitions} />
      ))}
    </div>
  )
}

interface Parsed {
  readonly blocks: readonly MarkedToken[]
  /** The names of the links that are defined apart from their use. */
  readonly definitions: string
}

/** Undefined if the text is nested too deeply. */
function parse(text: string): Parsed | undefined {
  // Models write poems and addresses with single line breaks.
  const lexer = new Lexer({ gfm: true, breaks: true })
  try {
    const blocks = lexer.lex(text) as MarkedToken[]
    return {
      blocks: blocks.filter(({ type }) => type !== 'space' && type !== 'def'),
      definitions: Object.keys(lexer.tokens.links).join(' '),
    }
  } catch {
    return undefined
  }
}

interface BlockProps {
  readonly block: MarkedToken
  readonly definitions: string
}

const Block = memo(
  ({ block }: BlockProps) => <MarkdownBlock block={block} />,
  (one, other) => one.block.raw === other.block.raw && one.definitions === other.definitions,
)
Block.displayName = 'Block'

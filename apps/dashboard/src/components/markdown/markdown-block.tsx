import type { MarkedToken, Tokens } from 'marked'
import type { ReactNode } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { MarkdownInline } from './markdown-inline.tsx'

/** A block of a Markdown text, such as a paragraph or a list. */
export function MarkdownBlock({ block }: { readonly block: MarkedToken }): ReactNode {
  switch (block.type) {
    case 'heading':
      return <Heading heading={block} />
    case 'paragraph':
      return (
        <p>
          <MarkdownInline tokens={block.tokens} />
        </p>
      )
    // The text of an item of a list.
    case 'text':
      return block.tokens ? <MarkdownInline tokens={block.tokens} /> : block.text
    case 'code':
      return <Code code={block} />
    case 'list':
      return <List list={block} />
    case 'table':
      return <Table table={block} />
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-3 border-l-2 border-line-strong pl-3 text-muted">
          <Blocks tokens={block.tokens} />
        </blockquote>
      )
    case 'hr':
      return <hr className="border-line" />
    case 'html':
      return <p className="whitespace-pre-wrap">{block.raw.trimEnd()}</p>
    case 'checkbox':
      return <span className="mr-1.5">{block.checked ? '☑' : '☐'}</span>
    default:
      return null
  }
}

function Blocks({ tokens }: { readonly tokens: readonly unknown[] }) {
  // oxlint-disable-next-line no-array-index-key -- blocks have no other identity
  return (tokens as readonly MarkedToken[]).map((token, index) => <MarkdownBlock key={index} block={token} />)
}

/** The title of the page and of the card are above. */
const headings = ['h3', 'h4', 'h5', 'h6'] as const

function Heading({ heading: { depth, tokens } }: { readonly heading: Tokens.Heading }) {
  const Tag = headings[depth - 1] ?? 'h6'
  return (
    <Tag className={`mt-2 font-semibold first:mt-0 ${depth === 1 ? 'text-lg' : 'text-base'}`}>
      <MarkdownInline tokens={tokens} />
    </Tag>
  )
}

function Code({ code: { text, lang } }: { readonly code: Tokens.Code }) {
  const language = lang?.split(/\s/, 1)[0] ?? ''
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex h-8 items-center justify-between border-b border-line pr-1 pl-3 text-xs text-muted">
        <span className="truncate font-mono">{language}</span>
        <CopyButton text={text} label="Copy the code" />
      </div>
      <pre
        tabIndex={0}
        role="group"
        aria-label={language === '' ? 'Code' : `Code in ${language}`}
        className="overflow-x-auto p-3 font-mono text-xs leading-5"
      >
        <code>{text}</code>
      </pre>
    </div>
  )
}

function List({ list: { ordered, start, items } }: { readonly list: Tokens.List }) {
  const Tag = ordered ? 'ol' : 'ul'
  return (
    <Tag
      start={ordered && start !== '' ? start : undefined}
      className={`flex flex-col gap-1 pl-6 ${ordered ? 'list-decimal' : 'list-disc'}`}
    >
      {items.map(({ task, tokens }, index) => (
        // oxlint-disable-next-line no-array-index-key -- items have no other identity
        <li key={index} className={`space-y-1 pl-1 marker:text-subtle ${task ? '-ml-6 list-none' : ''}`}>
          <Blocks tokens={tokens} />
        </li>
      ))}
    </Tag>
  )
}

const alignments = { left: 'text-left', center: 'text-center', right: 'text-right' } as const

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }) {
  const cells = (row: readonly Tokens.TableCell[], Tag: 'td' | 'th') =>
    row.map(({ tokens, align }, index) => (
      <Tag
        // oxlint-disable-next-line no-array-index-key -- cells have no other identity
        key={index}
        scope={Tag === 'th' ? 'col' : undefined}
        className={`px-3 py-1.5 align-top ${alignments[align ?? 'left']} ${Tag === 'th' ? 'font-medium' : ''}`}
      >
        <MarkdownInline tokens={tokens} />
      </Tag>
    ))
  return (
    <div tabIndex={0} role="group" aria-label="Table" className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full text-sm">
        <thead className="bg-sunken text-muted">
          <tr>{cells(header, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line no-array-index-key -- rows have no other identity
            <tr key={index} className="border-t border-line">
              {cells(row, 'td')}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

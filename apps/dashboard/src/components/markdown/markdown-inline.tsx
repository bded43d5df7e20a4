import type { MarkedToken } from 'marked'
import type { ReactNode } from 'react'
import { decodeEntities } from './decode-entities.ts'
import { safeHref } from './safe-href.ts'

/** Text with emphasis, code, and links. */
export function MarkdownInline({ tokens }: { readonly tokens: readonly unknown[] }) {
  // oxlint-disable-next-line no-array-index-key -- parts of a text have no other identity
  return (tokens as readonly MarkedToken[]).map((token, index) => <Part key={index} token={token} />)
}

function Part({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens ? <MarkdownInline tokens={token.tokens} /> : decodeEntities(token.text)
    case 'strong':
      return (
        <strong className="font-semibold">
          <MarkdownInline tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <MarkdownInline tokens={token.tokens} />
        </em>
      )
    case 'del':
      return (
        <del>
          <MarkdownInline tokens={token.tokens} />
        </del>
      )
    case 'codespan':
      return <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-xs break-words">{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return (
        <SafeLink href={token.href}>
          <MarkdownInline tokens={token.tokens} />
        </SafeLink>
      )
    // The dashboard loads nothing from other hosts.
    case 'image':
      return <SafeLink href={token.href}>{token.text || token.href}</SafeLink>
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw
    case 'escape':
      return token.text
    default:
      return token.raw
  }
}

function SafeLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const safe = safeHref(href)
  return safe === undefined ? (
    children
  ) : (
    <a
      href={safe}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="rounded-sm text-accent underline underline-offset-2 hover:text-accent-strong"
    >
      {children}
    </a>
  )
}

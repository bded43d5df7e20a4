/** A fenced block of a page. */
export interface CodeBlock {
  readonly language: string
  /** The text after the language: blocks with `norun` are not run. */
  readonly words: readonly string[]
  readonly text: string
  /** The line of its fence, from 1. */
  readonly line: number
}

const fenced = /^(`{3,})(\w*)([^\n]*)\n(.*?)^\1$/gms

export function codeBlocks(page: string): readonly CodeBlock[] {
  return [...page.matchAll(fenced)].map(({ index, 2: language = '', 3: words = '', 4: text = '' }) => ({
    language,
    words: words.split(' ').filter(Boolean),
    text,
    line: page.slice(0, index).split('\n').length,
  }))
}

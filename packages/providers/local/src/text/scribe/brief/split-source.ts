/** A prompt taken apart: what is asked, and the text that it is asked of. */
export interface SplitPrompt {
  readonly instruction: string
  readonly source: string | undefined
}

const worksOnText =
  /\b(summar|sum up|tl;?dr|shorten|condense|bullet|key ?(words|points)|title|headline|rewrite|rephrase|uppercase|lowercase|(upper|lower|title|sentence)[- ]case|capitali[sz]e|extract|according to|continue|answer|question|reply|respond|translate|above|text|passage|article|paragraph)/i

/**
 * Finds the text given in a prompt: between fences or quotes, after a colon or a blank line, or before the request.
 *
 * @param prompt with blanks in moderation
 */
export function splitSource(prompt: string): SplitPrompt {
  const text = prompt.trim()
  return (
    fenced(text) ??
    trailing(text) ??
    afterBreak(text) ??
    afterColon(text) ??
    quoted(text) ?? { instruction: text, source: undefined }
  )
}

/** Blanks in moderation: every expression that reads a prompt takes time with the square of a run of them. */
export function squeezed(prompt: string): string {
  return prompt
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\S\n]{5,}/g, '    ')
    .replaceAll(/(?:[^\S\n]{0,4}\n){3,}/g, '\n\n')
}

const fences = [
  ['```', '```'],
  ['"""', '"""'],
  ['<text>', '</text>'],
] as const

function fenced(text: string): SplitPrompt | undefined {
  for (const [open, close] of fences) {
    const start = text.indexOf(open)
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length)
    if (end < 0) continue
    const source = text
      .slice(start + open.length, end)
      .replace(/^\w*\n/, '')
      .trim()
    const instruction = `${text.slice(0, start)} ${text.slice(end + close.length)}`.trim()
    if (source !== '') return { instruction, source }
  }
  return undefined
}

/** `<text> … Summarize the above.` */
function trailing(text: string): SplitPrompt | undefined {
  const at = text.lastIndexOf('\n')
  const request = text.slice(at + 1).trim()
  const before = text.slice(0, Math.max(0, at)).trim()
  const asks = request.length < 160 && (worksOnText.test(request) || request.endsWith('?'))
  const [firstLine = ''] = before.split('\n', 1)
  // A request that stands first as well wins: its text merely ends in a line that sounds like one.
  if (!asks || before.length < 60 || (firstLine.length < 160 && worksOnText.test(firstLine))) return undefined
  return { instruction: request, source: before.replace(/^text:\s*/i, '') }
}

function afterBreak(text: string): SplitPrompt | undefined {
  const at = text.indexOf('\n')
  const first = text.slice(0, at)
  if (at < 0 || first.length > 300 || (!worksOnText.test(first) && !/:\s*$/.test(first))) return undefined
  const colon = afterColon(first)
  // "Summarize: first paragraph⏎second paragraph"
  if (colon && colon.instruction.length < 100)
    return { instruction: colon.instruction, source: text.slice(first.indexOf(':') + 1).trim() }
  return { instruction: first.replace(/:\s*$/, ''), source: text.slice(at + 1).trim() }
}

function afterColon(text: string): SplitPrompt | undefined {
  const [, instruction, source] = /^([^\n:]{2,140}):\s+(\S[\s\S]*)$/.exec(text) ?? []
  return instruction === undefined || !/[a-z]/i.test(instruction) ? undefined : { instruction, source: source! }
}

function quoted(text: string): SplitPrompt | undefined {
  const [whole, inner] = /["“]([^"“”]{12,4000})["”]/.exec(text) ?? []
  return whole === undefined || !worksOnText.test(text)
    ? undefined
    : { instruction: text.replace(whole, 'the text'), source: inner! }
}

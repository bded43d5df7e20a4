import { hasAtMost } from '../runtime/field-schemas.ts'
import { estimateTokens } from './cost.ts'
import type { FilePart, ImagePart, Message, TextPart, ToolResultPart, AnswerPart } from './message.ts'
import type { TextRequest } from './provider.ts'

/** The size of a request, for routing and for estimates. */
export interface PromptSize {
  readonly estimatedTokens: number
  /** Whether its texts have at most this many code points. */
  hasAtMost(codePoints: number): boolean
}

type Part = TextPart | ImagePart | FilePart | AnswerPart | ToolResultPart

/** The approximate tokens of a large image with most models. */
const tokensPerImage = 1_000
/** Of a file in base64: a page of a PDF document has about 50 kB and costs about 2,000 tokens. */
const base64PerFileToken = 33

/** The size of all texts, tools and schemas of a request. Images and files count in the tokens alone. */
export function promptSize({
  prompt,
  messages,
  tools,
  responseFormat,
}: Pick<TextRequest, 'prompt' | 'messages' | 'tools' | 'responseFormat'>): PromptSize {
  const sent = [tools, responseFormat?.schema].flatMap((value) => (value ? [JSON.stringify(value)] : []))
  if (prompt !== '' && sent.length === 0) return textSize(prompt)
  const parts = messages.flatMap(({ content }: Message): readonly Part[] => content)
  const text = [...parts.map(textOf), ...sent].join('')
  const mediaTokens = parts.reduce((sum, part) => sum + mediaTokensOf(part), 0)
  const size = textSize(text)
  return { ...size, estimatedTokens: size.estimatedTokens + mediaTokens }
}

export function textSize(text: string): PromptSize {
  return { estimatedTokens: estimateTokens(text), hasAtMost: (codePoints) => hasAtMost(codePoints, text) }
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool_call':
      return part.name + JSON.stringify(part.input)
    case 'tool_result':
      return part.content.map(textOf).join('')
    default:
      return ''
  }
}

function mediaTokensOf(part: Part): number {
  if (part.type === 'image') return tokensPerImage
  if (part.type === 'file') return Math.ceil((part.data?.length ?? 0) / base64PerFileToken) || tokensPerImage
  return part.type === 'tool_result' ? part.content.reduce((sum, each) => sum + mediaTokensOf(each), 0) : 0
}

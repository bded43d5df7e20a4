import type { Brief } from '../brief/brief.ts'

const askingWord = /^(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|does|did|do|can)\b/i
const label = /(?:^|\n)[ \t]{0,8}(?:question|q):[ \t]*([^\n]+)/i

/** A question together with the text that it is asked of, in whichever order the prompt has them. */
export function questionAndText({
  prompt,
  instruction,
  source,
}: Brief): { question: string; text: string } | undefined {
  const labeled = label.exec(prompt)
  if (labeled)
    return pair(
      labeled[1]!,
      prompt
        .replace(labeled[0], '\n')
        .replace(/^[^:\n]{0,60}\b(?:text|context|passage|question):/i, '')
        .replace(/\n\s*(?:answer|a):\s*$/i, ''),
    )
  if (source === undefined) return inOneLine(prompt)
  // "According to the text, who found it?" and "Who found it? <text>"
  const question = instruction.split(/(?<=\?)/).find((part) => part.trim().endsWith('?')) ?? instruction
  const core = question
    .replace(
      /^.*?(?:according to|based on|from|using|in) (?:the|this) (?:following )?(?:text|passage|article|paragraph)\b[,:]?\s*/i,
      '',
    )
    .replace(/^(?:please )?answer(?: the question)?[:,]?\s*/i, '')
  if (askingWord.test(core.trim()) && /\?/.test(core)) return pair(core, source)
  // "Answer from the text: <text> Who found it?": the question is the text's own last sentence.
  const last = /(?:^|[.!\n]\s*)([^.!?\n]{6,200}\?)\s*$/.exec(source)
  return last && /\banswer\b/i.test(instruction) ? pair(last[1]!, source.slice(0, last.index + 1)) : undefined
}

/** `Based on this text, who came? The text …`: the first question mark divides them. */
function inOneLine(prompt: string) {
  const [, question = '', text = ''] = /^([^?\n]{5,250}\?)\s+(\S[\s\S]{60,})$/.exec(prompt) ?? []
  return askingWord.test(question) || /\b(?:the|this) (?:following )?(?:text|passage|article)\b/i.test(question)
    ? pair(question, text)
    : undefined
}

function pair(question: string, text: string) {
  return text.trim().length < 20 ? undefined : { question: question.trim(), text: text.trim() }
}

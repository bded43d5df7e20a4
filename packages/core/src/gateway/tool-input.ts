import type { ToolCallPart } from './message.ts'

type ToolInput = Pick<ToolCallPart, 'input' | 'inputText'>

/**
 * The input of a tool call from the text that the model wrote. The text is kept unless it is the JSON of the input. A text
 * that is not a JSON object gives an empty input. A model that calls a tool without input may write nothing at all.
 */
export function readToolInput(text: string): ToolInput {
  if (text.trim() === '') return { input: {} }
  try {
    const input: unknown = JSON.parse(text)
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return { input: {}, inputText: text }
    return { input: { ...input }, ...(JSON.stringify(input) !== text && { inputText: text }) }
  } catch {
    return { input: {}, inputText: text }
  }
}

/** Whether the model wrote something else than a JSON object. */
export function isUnreadable({ input, inputText }: ToolInput): boolean {
  return inputText !== undefined && Object.keys(input).length === 0 && !/^\s*\{\s*\}\s*$/.test(inputText)
}

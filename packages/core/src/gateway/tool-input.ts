import { isObject, type JsonObject, type ToolCallPart } from './message.ts'

/**
 * The input of a tool call from the text that the model wrote. The text is kept as it is, except that a model that calls a
 * tool without input may write nothing at all.
 */
export function readToolInput(text: string): Pick<ToolCallPart, 'inputText' | 'input'> {
  if (text.trim() === '') return { inputText: '{}', input: {} }
  const input = jsonObject(text)
  return input ? { inputText: text, input } : { inputText: text }
}

function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

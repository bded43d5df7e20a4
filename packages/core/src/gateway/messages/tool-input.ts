import { parseJson } from '../../runtime/parse-json.ts'
import { isObject, type ToolCallPart } from './message.ts'

/**
 * The input of a tool call from the text that the model wrote. The text is kept as it is, except that a model that calls a
 * tool without input may write nothing at all.
 */
export function readToolInput(text: string): Pick<ToolCallPart, 'inputText' | 'input'> {
  if (text.trim() === '') return { inputText: '{}', input: {} }
  const input = parseJson(text)
  return isObject(input) ? { inputText: text, input } : { inputText: text }
}

/** Whether an input is what the model wrote, and not the empty object in place of another text. */
export function isWrittenInput({
  input,
  inputText,
}: {
  readonly input: object
  readonly inputText?: string | undefined
}): boolean {
  return inputText === undefined || Object.keys(input).length > 0 || /^\s*\{\s*\}\s*$/.test(inputText)
}
